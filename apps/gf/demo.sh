#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh BIN PICTURE OUT: filters PICTURE with one rank, with 4 ranks on this computer and with 192
# ranks on a modelled MPPA-256, and compares the three results byte for byte.
set -eu
bin=$1 picture=$2 out=$3
mkdir -p "$out"
cp -- "$picture" "$out/before.png"

progress=
[ ! -t 2 ] || progress=--progress

# filter TITLE OUTPUT MPIEXEC-OPTIONS...
filter() {
    title=$1 output=$2
    shift 2
    printf '\n== %s\n   mpiexec %s gf before.png %s\n' "$title" "$*" "$output"
    # shellcheck disable=SC2086 # no progress option, or one
    "$bin/mpiexec" "$@" "$bin/gf" --check $progress "$out/before.png" "$out/$output"
}

filter 'one rank: the serial result' serial.png -n 1
filter '4 ranks on this computer, real time' linux.png -n 4 --stats
filter '192 ranks on 16 clusters of an MPPA-256, virtual time' mppa256.png \
    -n 192 --machine mppa256 --ranks-per-cluster 12 --stats --heat "$out/noc.svg"

printf '\n'
for result in linux mppa256; do
    if ! cmp -s "$out/serial.png" "$out/$result.png"; then
        printf 'demo: %s differs from serial.png in %s\n' "$result.png" "$out" >&2
        exit 1
    fi
done
mv -- "$out/mppa256.png" "$out/after.png"
rm -f -- "$out/linux.png" "$out/serial.png"
cat <<END
All three results are the same bytes, on the real and on the modelled machine.
  before    $out/before.png
  after     $out/after.png
  NoC heat  $out/noc.svg
END

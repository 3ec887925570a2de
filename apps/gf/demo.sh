#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh BIN PICTURE OUT: filters PICTURE with one rank, with 4 ranks on this computer, with 192
# ranks on a modelled MPPA-256, and, where QEMU and the image BIN/gf.img are, with 12 ranks on bare
# RISC-V; and compares the results byte for byte.
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

# There is no libpng on bare metal: a mask of one point only turns the picture into a PPM.
bare=
if [ -r "$bin/gf.img" ] && command -v qemu-system-riscv64 >/dev/null; then
    bare=' and on bare RISC-V'
    "$bin/mpiexec" -n 1 "$bin/gf" --mask 1 "$out/before.png" "$out/before.ppm" >/dev/null
    "$bin/mpiexec" -n 1 "$bin/gf" "$out/before.png" "$out/serial.ppm" >/dev/null
    printf '\n== %s\n   mpiexec %s gf.img before.ppm riscv.ppm\n' \
        '12 ranks on 4 clusters of 2 MB in QEMU, nothing below the kernel' '-n 12 --machine riscv'
    "$bin/mpiexec" -n 12 --machine riscv "$bin/gf.img" "$out/before.ppm" "$out/riscv.ppm"
    if ! cmp -s "$out/serial.ppm" "$out/riscv.ppm"; then
        printf 'demo: riscv.ppm differs from serial.ppm in %s\n' "$out" >&2
        exit 1
    fi
    rm -f -- "$out/before.ppm" "$out/serial.ppm" "$out/riscv.ppm"
else
    printf '\nNot shown: 12 ranks on bare RISC-V, for want of qemu-system-riscv64 or of %s\n' \
        "$bin/gf.img"
fi

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
All results are the same bytes, on the real and on the modelled machine$bare.
  before    $out/before.png
  after     $out/after.png
  NoC heat  $out/noc.svg
END

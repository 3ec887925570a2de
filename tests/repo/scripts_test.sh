#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts_test.sh ROOT: the shell scripts parse, please shellcheck where it is installed, and the front
# door answers from any folder, also through a link in a folder with blanks in its name.
set -eu
root=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
    echo "scripts: $*"
    exit 1
}

scripts="lwmpi .ci/run tools/twice apps/gf/demo.sh tests/repo/scripts_test.sh"
for script in $scripts; do
    sh -n "$root/$script" || fail "$script does not parse"
done
if command -v shellcheck >/dev/null 2>&1; then
    (cd "$root" && shellcheck lwmpi .ci/run tools/twice apps/gf/demo.sh tests/repo/scripts_test.sh) ||
        fail "shellcheck complains"
fi

mkdir "$place/two words"
ln -s "$root/lwmpi" "$place/two words/front"
cd "$place"
"two words/front" help | grep -q 'lwmpi demo' || fail "help does not tell of the demo"
code=0
"two words/front" nonsense >out 2>err || code=$?
[ "$code" -eq 2 ] || fail "an unknown command ended with $code, not with 2"
[ ! -s out ] || fail "an unknown command printed on standard output"
head -n 1 err | grep -q "no command 'nonsense'" || fail "an unknown command is not named"
grep -q 'lwmpi test' err || fail "an unknown command does not show the help"

#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts_test.sh ROOT: the shell scripts parse, please shellcheck where it is installed, and the
# front door answers from any folder, also through a link in a folder with blanks in its name.
set -eu
root=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
    echo "scripts: $*"
    exit 1
}

for script in lwmpi .ci/run tools/twice apps/gf/demo.sh tests/repo/scripts_test.sh; do
    sh -n "$root/$script" || fail "$script does not parse"
    if command -v shellcheck >/dev/null 2>&1; then
        shellcheck "$root/$script" || fail "shellcheck complains"
    fi
done

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

# A machine with nothing on it: only the basic commands, and a package manager that writes down what
# it is asked for and installs nothing.
mkdir "$place/bare" "$place/apt"
for tool in sh env dirname readlink sed grep tail cat tr rm mktemp mkdir date; do
    ln -s "$(command -v "$tool")" "$place/bare/$tool"
done
printf '#!/bin/sh\necho "$*" >>"%s/asked"\n' "$place" >"$place/apt/apt-get"
# shellcheck disable=SC2016 # the fake id expands it
printf '#!/bin/sh\necho "${fake_id:-0}"\n' >"$place/bare/id"
printf '#!/bin/sh\necho "sudo $*" >>"%s/asked"\n' "$place" >"$place/sudo"
chmod +x "$place/apt/apt-get" "$place/bare/id" "$place/sudo"

setup() { # setup PATH COMMAND: runs the front door there, its words in $place/out
    code=0
    PATH=$1 sh "$root/lwmpi" "$2" >"$place/out" 2>&1 || code=$?
    [ "$code" -eq 1 ] || fail "$2 on a bare machine ended with $code: $(cat "$place/out")"
}

setup "$place/bare" demo
grep -q 'missing: cmake.*no apt-get' "$place/out" || fail "no word that apt-get is missing"
setup "$place/bare:$place/apt" test
grep -q '^lwmpi: missing: cmake ninja-build gcc .*installing with:' "$place/out" ||
    fail "root is not told what will be installed: $(cat "$place/out")"
grep -q 'install .*cmake ninja-build gcc .*gcc-riscv64-unknown-elf' "$place/asked" ||
    fail "apt-get was not asked for all that test needs"
grep -q 'still missing' "$place/out" || fail "an installation without effect goes unnoticed"

fake_id=1000
export fake_id
setup "$place/bare:$place/apt" demo
grep -q 'as root: apt-get install cmake' "$place/out" || fail "no word on what root must do"
rm "$place/asked"
mv "$place/sudo" "$place/apt/"
setup "$place/bare:$place/apt" demo
grep -q '^sudo .*apt-get install .*libpng-dev' "$place/asked" || fail "sudo was not used"
if grep -q riscv "$place/asked"; then
    fail "the demo does not need a RISC-V compiler"
fi

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
grep -q 'install .*cmake ninja-build gcc .*riscv64-unknown-elf .*qemu-system-misc' "$place/asked" ||
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

# A tree that was copied with what was built in it: CMake remembers the old folder. The project here
# is a small one, set up by the same front door.
mkdir "$place/first"
cp "$root/lwmpi" "$root/CMakePresets.json" "$place/first"
cat >"$place/first/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(small C)
add_executable(small main.c)
add_custom_target(commands DEPENDS small)
END
echo 'int main(void) { return 0; }' >"$place/first/main.c"
"$place/first/lwmpi" build >"$place/out" 2>&1 ||
    fail "a small tree does not build: $(cat "$place/out")"
! grep -q anew "$place/out" || fail "a new tree is told that it was copied"
cp -r "$place/first" "$place/copied tree"
echo 'int main(void) { return 7; }' >"$place/copied tree/main.c"
"$place/copied tree/lwmpi" build >"$place/out" 2>&1 ||
    fail "a copied tree does not build: $(cat "$place/out")"
grep -q "build was configured for $place/first; configuring it anew" "$place/out" ||
    fail "no word that the tree was copied: $(cat "$place/out")"
code=0
"$place/copied tree/build/small" || code=$?
[ "$code" -eq 7 ] || fail "the copied tree built the old tree's program"

# test knows one option.
code=0
"$root/lwmpi" test --al >"$place/out" 2>&1 || code=$?
[ "$code" -eq 1 ] || fail "test --al ended with $code, not with 1"
grep -q "no option '--al', only --all" "$place/out" || fail "test --al: $(cat "$place/out")"

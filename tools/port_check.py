#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes a port through the steps of docs/porting.md: runs the contract tests of each, in their
order, and stops at the first that fails, with what it says. A function of the template that is not
written yet is named, with the file where it belongs."""
import argparse
import glob
import os
import re
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What runs an image if nothing else is said: QEMU's `virt` of the image's processor, by the machine
# and the class that its ELF header says, with as many cores as the machine of the test's case. They
# take turns on one thread and time is the number of instructions: each run is the same, and who
# polls does not keep this computer's processors from who has work.
EMULATORS = {("RISC-V", "ELF32"): "qemu-system-riscv32 -M virt -bios none",
             ("RISC-V", "ELF64"): "qemu-system-riscv64 -M virt -bios none",
             ("AArch64", "ELF64"): "qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53"}
VIRT = ('exec {emulator} -smp $LWMPI_TEST_CORES -m 256M -display none -monitor none -serial stdio '
        '-accel tcg,thread=single -icount shift=0,sleep=off -kernel "$LWMPI_TEST_IMAGE" -device '
        'loader,addr=$LWMPI_TEST_CASE_AT,data=$LWMPI_TEST_CASE,data-len=4 -device '
        'loader,addr=$LWMPI_TEST_BOARD_AT,file=$LWMPI_TEST_BOARD,force-raw=on')


class Image:
    """Of an ELF file: its processor, and where its symbols are."""

    def __init__(self, path):
        said = subprocess.run(["readelf", "-hsW", path], capture_output=True, text=True,
                              check=True, env=dict(os.environ, LC_ALL="C")).stdout
        self.path = path
        self.processor = tuple(re.search(rf"{key}: +(.+)", said).group(1)
                               for key in ("Machine", "Class"))
        self.symbols = {name: "0x" + at for at, name in
                        re.findall(r"^ *\d+: ([0-9a-f]+) .* (\S+)$", said, re.MULTILINE)}

    def where(self, symbol):
        if symbol not in self.symbols:
            sys.exit(f"{self.path}: no symbol {symbol}: the linker's script of the port "
                     f"(boot/image.ld) says where it is, as that of hal/template does")
        return self.symbols[symbol]


def steps():
    """The table of docs/porting.md: [(what, [files], [tests])]."""
    found = []
    with open(os.path.join(ROOT, "docs", "porting.md"), encoding="utf-8") as page:
        for line in page:
            cells = [cell.strip() for cell in line.split("|")]
            if re.match(r"\d+\. ", cells[1] if len(cells) > 4 else ""):
                files, tests = (re.findall(r"`([^`]+)`", cells[i]) for i in (2, 3))
                found.append((cells[1].partition(". ")[2], files, tests))
    return found


def where(port, function):
    """The file of the port that defines it."""
    for path in sorted(glob.glob(os.path.join(port, "*.c"))):
        with open(path, encoding="utf-8") as file:
            if re.search(rf"^[\w _*]*\b{function}\([^;]*\)\n\{{", file.read(), re.MULTILINE):
                return path
    return port


def virt(image):
    """The command that starts QEMU's `virt` with it."""
    if image.processor not in EMULATORS:
        sys.exit(f"{image.path}: which machine runs images for {' '.join(image.processor)} is not "
                 "known here; say so with --serial")
    return VIRT.format(emulator=EMULATORS[image.processor])


def run(given, test):
    """Exit code and what was said of one test."""
    environment = dict(os.environ, LWMPI_MACHINES=os.path.join(ROOT, "machines"))
    if given.port:
        image = Image(os.path.join(given.images, test + ".elf"))
        environment["LWMPI_TEST_IMAGE"] = image.path
        environment["LWMPI_TEST_CASE_AT"] = image.where("port_case")
        environment["LWMPI_TEST_BOARD_AT"] = image.where("port_board")
        environment["LWMPI_TEST_RUN"] = given.serial or virt(image)
    else:
        environment["LWMPI_TEST_IMAGE"] = os.path.join(given.images, test + ".img")
    judge = os.path.join(given.build, "tests", test + ".riscv")
    with subprocess.Popen([judge], env=environment, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                          start_new_session=True) as running:
        try:
            said, _ = running.communicate(timeout=given.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            said, _ = running.communicate()
            said += f"it did not end within {given.seconds:g} s; --seconds N waits longer\n"
            return 1, said
    return running.returncode, said


def explain(given, said):
    for line in said.splitlines():
        missing = re.match(r"missing: (\w+)", line)
        if missing:
            path = os.path.relpath(where(given.port or "", missing.group(1)))
            print(f"    {missing.group(1)} is not written yet: its place is {path}")
            return
    for line in said.splitlines()[:given.lines]:
        print("    " + line)


def arguments():
    parse = argparse.ArgumentParser(prog="lwmpi port check", description=__doc__)
    parse.add_argument("build", help=argparse.SUPPRESS)
    parse.add_argument("images", help=argparse.SUPPRESS)
    parse.add_argument("--machine", choices=["riscv", "riscv32"],
                       help="the port that is complete: hal/riscv, of 64 bits or of 32")
    parse.add_argument("--port", metavar="FOLDER", help="of the port that is being written; begin "
                       "with a copy of hal/template")
    parse.add_argument("--serial", metavar="COMMAND",
                       help="brings the file $LWMPI_TEST_IMAGE to the machine, the number "
                       "$LWMPI_TEST_CASE to the address $LWMPI_TEST_CASE_AT and the file "
                       "$LWMPI_TEST_BOARD, a struct hal_virt, to $LWMPI_TEST_BOARD_AT, starts it, "
                       "and shows what comes over the serial line; its exit code is the "
                       "machine's, or the last line says \"status N\" (by default QEMU's virt, of "
                       "RISC-V or AArch64)")
    parse.add_argument("--toolchain", metavar="FILE", help="of CMake, for the port's processor "
                       "(cmake/riscv64.cmake)")
    parse.add_argument("--seconds", type=float, default=120, metavar="N", help="most that a test "
                       "may take (120)")
    parse.add_argument("--lines", type=int, default=20, metavar="N", help="of what a test that "
                       "failed says (20)")
    parse.add_argument("--system", nargs="?", const="", metavar="REGEX", help="and then, on the "
                       "port, the tests of the kernel and of the services: all of them, or those "
                       "whose name matches REGEX")
    given = parse.parse_args()
    if bool(given.machine) == bool(given.port):
        parse.error("one of --machine riscv, --machine riscv32 and --port FOLDER is needed")
    if given.system is not None and given.machine:
        parse.error("--system needs --port FOLDER; ctest runs all tests of the complete port")
    return given


def tell(given, what, test):
    """Runs a test and says how it ended; True: it passed."""
    code, said = run(given, test)
    print(f"{what}: {'failed' if code else 'passed'}", flush=True)
    if code:
        explain(given, said)
    return code == 0


def main():
    given = arguments()
    table = steps()
    for number, (what, _, tests) in enumerate(table, 1):
        for test in tests:
            line = f"step {number} of {len(table)}: {what}: {test}"
            if not tell(given, line, f"hal_{test}_test"):
                return 1
    if given.system is None:
        return 0
    names = {os.path.basename(path)[:-4] for path in glob.glob(os.path.join(given.images, "*.elf"))}
    beyond = sorted(name for name in names
                    if not re.match("hal_.*_test$", name) and re.search(given.system, name))
    passed = [tell(given, f"system: {test}", test) for test in beyond]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

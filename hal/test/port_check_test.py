#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""port_check_test.py BUILD IMAGES TREE WIDTH: what lwmpi port check says of a complete port, of the
template, and of a copy of it in which console and power are written, for QEMU's RISC-V virt."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CONSOLE = """#include <hal/console.h>
#include <stdint.h>

void hal_console_write(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *(volatile uint8_t *)0x10000000 = (uint8_t)text[i];
    }
}
"""
MACHINE = """#include <hal/virt.h>

extern const struct hal_virt port_board;

const struct hal_machine *hal_machine(void)
{
    return &port_board.machine;
}

int hal_node(void)
{
    return 0;
}

const char *hal_node_name(void)
{
    return port_board.machine.name;
}
"""
# A board that says by its last line how it ended, up to where locks are needed.
BOARD = """case $LWMPI_TEST_IMAGE in
*boot*) echo 'cluster 0 of 1'; echo status $((LWMPI_TEST_CASE * 5)) ;;
*clock*) echo status 0 ;;
*console*) for letter in a b e f i j; do yes $letter | head -n 5900 | tr -d '\\n' | fold -w 59
           echo; done; echo status 0 ;;
*) echo status 9 ;;
esac"""
OFF = """    *(volatile unsigned int *)0x100000 = status ? (unsigned)status << 16 | 0x3333 : 0x5555;
"""


def check(build, images, tree, *options):
    command = [sys.executable, "-B", os.path.join(tree, "tools", "port_check.py"), build, images]
    r = subprocess.run([*command, *options], capture_output=True, text=True)
    print(r.stdout + r.stderr)
    return r.returncode, r.stdout + r.stderr


def expect(condition, what):
    if not condition:
        sys.exit(f"port_check_test: {what}")


def first_step(tree, folder):
    """A copy of the template in which the first step is made, what may stay as it is in the
    template is not there, and whoever starts the machine leaves elsewhere what it is told."""
    port = os.path.join(folder, "mychip")
    shutil.copytree(os.path.join(tree, "hal", "template"), port,
                    ignore=shutil.ignore_patterns("attend.c", "user.c"))
    with open(os.path.join(port, "console.c"), "w", encoding="utf-8") as file:
        file.write(CONSOLE)
    path = os.path.join(port, "power.c")
    with open(path, encoding="utf-8") as file:
        stub = r"    MISSING\(\);\n    \(void\)status;\n"
        text, changed = re.subn(stub, OFF, file.read(), count=1)
    expect(changed, "power.c of the template has another form")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    script = os.path.join(port, "boot", "image.ld")
    with open(script, encoding="utf-8") as file:
        text, changed = re.subn(r"= 0x808(0|1)", r"= 0x809\1", file.read())
    expect(changed == 2, "image.ld of the template has another form")
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    return port


def images_of(tree, port, folder, width):
    make = os.path.join(folder, "build")
    chain = os.path.join(tree, "cmake", f"riscv{width}.cmake")
    for command in (["cmake", "-S", tree, "-B", make, "-G", "Ninja", "-DLWMPI_HOSTED=OFF",
                     "-DCMAKE_BUILD_TYPE=Release", f"-DLWMPI_PORT={port}",
                     f"-DCMAKE_TOOLCHAIN_FILE={chain}"],
                    ["cmake", "--build", make, "--target", "port_images"]):
        r = subprocess.run(command, capture_output=True, text=True)
        expect(r.returncode == 0, r.stdout + r.stderr)
    return os.path.join(make, "port")


def main(build, riscv, tree, width):
    machine = "riscv" if width == "64" else "riscv32"
    code, said = check(build, os.path.join(riscv, "tests"), tree, "--machine", machine)
    expect(code == 0 and "step 12 of 12: reports: trace: passed" in said, "the complete port")
    template = os.path.join(tree, "hal", "template")
    code, said = check(build, os.path.join(riscv, "port"), tree, "--port", template)
    expect(code == 1 and "step 1 of 12: say something and end: boot: failed" in said and
           "hal_console_write is not written yet: its place is" in said, "the template")
    with tempfile.TemporaryDirectory() as folder:
        port = first_step(tree, folder)
        images = images_of(tree, port, folder, width)
        code, said = check(build, images, tree, "--port", port)
        expect(code == 1 and "boot: passed\nstep 2 of 12: " in said and
               "hal_clock_cycles is not written yet: its place is" in said, "the first step")
        with open(os.path.join(port, "machine.c"), "w", encoding="utf-8") as file:
            file.write(MACHINE)
        code, said = check(build, images_of(tree, port, folder, width), tree, "--port", port)
        expect(code == 1 and 'the console lacks "cluster 1 of 3' in said, "the tests' machine")
        status = "cat /dev/null; echo 'cluster 0 of 1'; echo 'status 5'"
        code, said = check(build, images, tree, "--port", port, "--serial", status)
        expect(code == 1 and "case 0 ended with status 5, should be 0" in said, "a serial line")
        code, said = check(build, images, tree, "--port", port, "--serial", BOARD)
        expect(code == 1 and "console: passed\nstep 3 of 12: locks: lock: failed" in said and
               "case 0 ended with status 9" in said, "a status is no part of the console")
        judge = os.path.join(build, "tests", "hal_boot_test.riscv")
        shutil.copy(judge, os.path.join(folder, "hal_boot_test.elf"))
        code, said = check(build, folder, tree, "--port", port)
        expect(code == 1 and "no symbol port_case" in said, "an image that cannot be told its case")
        code, said = check(build, images, tree, "--port", port, "--serial", "sleep 60",
                           "--seconds", "0.5")
        expect(code == 1 and "did not end within 0.5 s" in said, "a machine that hangs")


main(*sys.argv[1:])

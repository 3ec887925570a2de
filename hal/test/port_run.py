#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""port_run.py BUILD TREE NAME TEST...: the port hal/NAME, with the toolchain cmake/NAME.cmake, goes
through all steps of docs/porting.md, and then through these tests of the system. Skipped where its
compiler, the C library or QEMU are missing."""
import os
import re
import shutil
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def main(build, tree, name, *tests):
    chain = os.path.join(tree, "cmake", f"{name}.cmake")
    with open(chain, encoding="utf-8") as file:
        text = file.read()
    compiler = re.search(r"CMAKE_C_COMPILER (\S+)\)", text).group(1)
    emulator = "qemu-system-" + re.search(r"CMAKE_SYSTEM_PROCESSOR (\S+)\)", text).group(1)
    for program in compiler, emulator:
        if shutil.which(program) is None:
            print(f"skipped: no {program}")
            return 0
    if run(compiler, "--specs=picolibc.specs", "-E", "-x", "c", "/dev/null").returncode != 0:
        print(f"skipped: no picolibc for {compiler}")
        return 0
    port, make = os.path.join(tree, "hal", name), os.path.join(build, "port", name + ".test")
    targets = ["port_images", *(test + ".port" for test in tests)]
    for command in (["cmake", "-S", tree, "-B", make, "-G", "Ninja", "-DLWMPI_HOSTED=OFF",
                     "-DCMAKE_BUILD_TYPE=Release", f"-DLWMPI_PORT={port}",
                     f"-DCMAKE_TOOLCHAIN_FILE={chain}"],
                    ["cmake", "--build", make, "--target", *targets]):
        done = run(*command)
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 1
    check = os.path.join(tree, "tools", "port_check.py")
    return subprocess.run([sys.executable, "-B", check, build, os.path.join(make, "port"), "--port",
                           port, "--system", f"^({'|'.join(tests)})$"], check=False).returncode


sys.exit(main(*sys.argv[1:]))

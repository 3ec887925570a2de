#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""photograph.py BIN IMAGE PICTURE: gf filters a part of the photograph on linux, in virtual time,
on bare metal in user mode and with the kernel's rights: the same bytes everywhere. IMAGE is that of
gf; beside it lies the one whose ranks have the kernel's rights."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "gf"))
import pictures  # noqa: E402

LEFT, TOP, SIDE = 172, 60, 96  # a face, which has edges and shades


def part(path):
    with open(path, "rb") as f:
        width, _, channels, data = pictures.read_png(f.read())
    rows = [data[((TOP + y) * width + LEFT) * channels:][:SIDE * channels] for y in range(SIDE)]
    return pictures.pnm((SIDE, SIDE, channels, b"".join(rows)))


def main(binaries, image, picture):
    made = {}
    runs = [("linux, one rank", os.path.join(binaries, "gf"), "-n", "1"),
            ("linux", os.path.join(binaries, "gf"), "-n", "4"),
            ("mppa256", os.path.join(binaries, "gf"), "-n", "13", "--machine", "mppa256"),
            ("riscv", image, "-n", "5", "--machine", "riscv"),
            ("riscv, machine mode", image.replace(".img", ".machine.img"), "-n", "5", "--machine",
             "riscv")]
    with tempfile.TemporaryDirectory() as folder:
        source, target = (os.path.join(folder, name) for name in ("in.ppm", "out.ppm"))
        with open(source, "wb") as f:
            f.write(part(picture))
        for name, program, *options in runs:
            subprocess.run([os.path.join(binaries, "mpiexec"), *options, program, source, target],
                           check=True, timeout=140, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)
            with open(target, "rb") as f:
                made[name] = f.read()
            os.remove(target)
        with open(source, "rb") as f:
            before = f.read()
    first = made[runs[0][0]]
    if len(first) != len(before) or first == before:
        return "the filter did nothing"
    other = [name for name, data in made.items() if data != first]
    return f"other bytes than on linux with one rank: {', '.join(other)}" if other else 0


sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An MPI library that is none: what bench/peers would get from its program, by a script.

make(folder, points) puts bin/mpicc and bin/mpiexec into the folder. points is
{series: {bytes: times}} with a time in seconds for each run of the program in turn, or "hang", or
"fail"."""
import json
import os
import sys
import time

MPICC = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\nexec "{python}" "{me}" "{folder}" "$@"\\n' >"$2"
chmod +x "$2"
"""
MPIEXEC = """#!/bin/sh
until [ "${1##*/peers-}" != "$1" ]; do shift; done
exec "$@"
"""


def make(folder, points):
    os.makedirs(os.path.join(folder, "bin"))
    with open(os.path.join(folder, "points"), "w", encoding="utf-8") as file:
        json.dump(points, file)
    filled = MPICC.format(python=sys.executable, me=os.path.abspath(__file__), folder=folder)
    for name, text in (("mpicc", filled), ("mpiexec", MPIEXEC)):
        path = os.path.join(folder, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)


def runs(folder, series, size):
    """How often this point was measured before."""
    path = os.path.join(folder, f"{series}-{size}")
    with open(path, "a+", encoding="utf-8") as file:
        file.write(".")
        return file.tell() - 1


def program(folder, part, seconds, sizes, memory, leave=""):
    left = leave.split(",")
    with open(os.path.join(folder, "points"), encoding="utf-8") as file:
        points = json.load(file)
    for series, of in points.items():
        for size in sorted(map(int, sizes.split(","))):
            times = of.get(str(size))
            if times is None or f"{series}:{size}" in left:
                continue
            value = times[runs(folder, series, size) % len(times)]
            print(f"begin,{series},{size}", flush=True)
            if value == "hang":
                time.sleep(60)
            if value == "fail":
                sys.exit("peers: a fault that was asked for")
            print(f"point,{series},{size},{value}", flush=True)
    print("end", flush=True)


if __name__ == "__main__":
    if sys.argv[2:] == ["version"]:
        print("Made-up  MPI 1.2, of no use\nmore of it")
    else:
        program(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""same_bytes.py BUILD OTHER: two builds, by different compilers, say the same of jobs in virtual
time, to the byte: standard output, --stats and the trace, with several seeds and in each model of
the network. The programs are the first build's: how large they are is told, too, and is the
compiler's."""
import os
import shutil
import subprocess
import sys
import tempfile

# Options of mpiexec, then a program and its arguments.
JOBS = ((("--machine", "mini", "-n", "8"), ("a2a", "--min", "8", "--max", "4096", "--trials", "1")),
        (("--machine", "mppa256", "-n", "40"), ("a2a", "--quick")),
        (("--machine", "mppa256", "-n", "48", "--map", "scatter"), ("km", "--quick")))
SEEDS = ("0", "7")
MODELS = ("fluid", "packet", "wormhole")


def lone(build, folder):
    """What runs a job in virtual time, where paths are as long as those of the other build: ranks
    have them in memory that is charged."""
    for part in ("bin", "lib"):
        os.makedirs(os.path.join(folder, part))
    for name in ("bin/mpiexec", "lib/liblwmpi_profile.so"):
        shutil.copy(os.path.join(build, name), os.path.join(folder, name))
    shutil.copytree(os.path.join(build, "lib", "sim"), os.path.join(folder, "lib", "sim"),
                    symlinks=True)
    return folder


def said(build, options, program, folder):
    """What a build says of a job: (exit code, output, statistics, trace). The program is a path."""
    trace = os.path.join(folder, "trace")
    done = subprocess.run([os.path.join(build, "bin", "mpiexec"), *options, "--compute", "none",
                           "--stats", "--trace", trace, *program], capture_output=True,
                          check=False)
    with open(trace, "rb") as file:
        text = file.read()
    lines = [line for line in done.stderr.splitlines() if b"wall time" not in line]
    return done.returncode, done.stdout, lines, text


def difference(a, b):
    """The first lines that differ."""
    if isinstance(a, int):
        return a, b
    of = [each.splitlines() if isinstance(each, bytes) else each for each in (a, b)]
    return next((pair for pair in zip(*of) if pair[0] != pair[1]), ("one has more lines",))


def compare(build, lones):
    """(differences, jobs)"""
    wrong = jobs = 0
    for options, (name, *arguments) in JOBS:
        program = (os.path.join(build, "bin", name), *arguments)
        for seed in SEEDS:
            for model in MODELS:
                more = (*options, "--seed", seed, "--noc", model)
                with tempfile.TemporaryDirectory() as folder:
                    one, two = (said(each, more, program, folder) for each in lones)
                jobs += 1
                what = " ".join((*more, name, *arguments))
                if one[0] != 0 or not one[1] or len(one[3]) < 1000:
                    wrong += 1
                    print(f"{what}: exit code {one[0]}, {len(one[3])} bytes of trace")
                for part, a, b in zip(("exit code", "output", "statistics", "trace"), one, two):
                    if a != b:
                        wrong += 1
                        print(f"{what}: {part} differs")
                        print(*difference(a, b), sep="\n")
    return wrong, jobs


def main(build, other):
    with tempfile.TemporaryDirectory() as folder:
        lones = [lone(each, os.path.join(folder, name))
                 for each, name in ((build, "one"), (other, "two"))]
        wrong, jobs = compare(build, lones)
    print(f"{jobs} jobs of {build} and {other}: {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

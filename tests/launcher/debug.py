#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks that share a process, as gdb sees them with the scripts beside the library."""
import os
import re
import shutil
import sys

from launch import BIN, PROGRAMS, cases, expect, mpiexec

if shutil.which("gdb") is None:
    print("skipped: gdb is not installed")
    sys.exit(0)

PROGRAM = os.path.join(PROGRAMS, "debugged")
LIBRARIES = os.path.join(BIN, "..", "lib")
VIRTUAL, SHARED = ["--machine", "mppa256"], ["--ranks-per-cluster", 4]
WAYS = (VIRTUAL, SHARED)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "debugged.c")) as source:
    LINE = {comment[1]: number for number, text in enumerate(source, 1)
            if (comment := re.search(r"/\* (\w+) \*/$", text))}


def gdb(*commands):
    """A word list: gdb that runs these commands, then the program."""
    first = [f"add-auto-load-safe-path {LIBRARIES}", "set debuginfod enabled off",
             "set breakpoint pending on", "set width 0", "set startup-with-shell off"]
    return ["gdb", "-nx", "-batch", *(w for c in first for w in ("-iex", c)),
            *(w for c in commands for w in ("-ex", c)), "--args", PROGRAM]


def session(way, *commands, ranks=4):
    """What gdb printed. In the end the program, of which nothing was changed, runs to its own."""
    run = mpiexec("-n", ranks, *way, *gdb(*commands, "delete", "continue"))
    expect(run.code == 0 and re.search(r"\(process \d+\) exited normally\]", run.out), run)
    expect("Python Exception" not in run.err and "Error" not in run.err, run)
    return run.out


def at(comment):
    return f"debugged.c:{LINE[comment]}"


def info_ranks_tells_how_each_stands():
    for way in WAYS:
        out = session(way, f"break {at('stops')}", "run", "info ranks")
        rows = {int(m[2]): m for m in re.finditer(
            r"^(\*?) +(\d) +(?:(\d+) +)?(\w+ \(debugged\.c:\d+\)) +(.*)$", out, re.M)}
        expect(sorted(rows) == [0, 1, 2, 3], out)
        wanted = {0: (f"receive ({at('receives')})",
                      "waits in MPI_Recv (peer 3, tag 5, 4 bytes, MPI_COMM_WORLD)"),
                  1: (f"main ({at('meets')})", "waits in MPI_Barrier (MPI_COMM_WORLD)"),
                  2: (f"ask ({at('asks')})", "in MPI_Iprobe (peer 3, tag 6, 0 bytes)"),
                  3: (f"stop ({at('stops')})", "running")}
        for rank, (place, state) in wanted.items():
            expect(place == rows[rank][4] and state in rows[rank][5], out)
            expect((rows[rank][1] == "*") == (rank == 3), out)
        if way is VIRTUAL:
            now = int(re.search(r"^Cycle (\d+), ", out, re.M)[1])
            expect(0 < int(rows[0][3]) < int(rows[2][3]) <= now and int(rows[1][3]) < now, out)
        else:
            expect("Cycle" not in out, out)


cases(info_ranks_tells_how_each_stands)

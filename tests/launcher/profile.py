#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec --profile on each kind of machine."""
import re

from launch import PROBE, cases, expect, mpiexec

LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
TIMES = 20  # of each collective in the probe's `late`


def profile(ranks, *way, what=("late", TIMES), code=0):
    r = mpiexec("-n", ranks, "--profile", *way, PROBE, *what)
    expect(r.code == code, r)
    rows = {words[0]: words for words in map(str.split, r.err.splitlines())
            if words and words[0].startswith("MPI_") and len(words) > 6}
    return r, rows


def counts_are_those_of_the_program():
    """Calls and bytes by hand: 4 ranks, sums of 4 bytes, messages of 1,000."""
    for way in (LINUX, SHARED, VIRTUAL):
        r, rows = profile(4, *way)
        expect(rows["MPI_Barrier"][1:3] == [str(4 * TIMES), "0"], r)
        expect(rows["MPI_Allreduce"][1:3] == [str(4 * TIMES), str(16 * TIMES)], r)
        expect(rows["MPI_Send"][1:3] == [str(TIMES), str(1000 * TIMES)], r)
        expect(rows["MPI_Recv"][1:3] == [str(TIMES), str(1000 * TIMES)], r)
        expect(rows["MPI_Comm_split"][1] == "4", r)


def waiting_is_laid_at_the_last_ones_door():
    """Three of four ranks wait for rank 1, which sleeps 5 ms each time. In virtual time nothing
    else is in the way: they wait 3/4 of all time, but for what the machine itself takes."""
    for way in (LINUX, SHARED, VIRTUAL):
        r, rows = profile(4, *way)
        waited = re.search(r"at collectives ranks waited ([\d.]+) % for rank 1\b", r.err)
        expect(waited, r)
        share = float(waited[1])
        expect(share > (70 if way == VIRTUAL else 30) and share <= 75, r)
        barrier = rows["MPI_Barrier"]
        expect(float(barrier[6]) <= float(barrier[4]), r)
        expect(way != VIRTUAL or float(barrier[6]) > 70, r)


def calls_are_named_by_file_and_line():
    with open(__file__.replace("profile.py", "probe.c")) as f:
        lines = f.read().splitlines()
    line = [i for i, text in enumerate(lines, 1) if "MPI_Barrier(MPI_COMM_WORLD)" in text
            and "MPI_Allreduce" in lines[i]][0]
    for way in (LINUX, SHARED, VIRTUAL):
        r, _ = profile(4, *way)
        first = r.err[r.err.index("calls that took longest"):].splitlines()[1]
        expect(re.search(rf"%  MPI_Barrier at probe\.c:{line}, {4 * TIMES} calls, longest in rank "
                         r"[023]$", first), r)


def virtual_time_is_the_same():
    """The layer takes no time of the machine, but what it asks MPI about communicators may take
    another page of memory."""
    cycles = []
    for option in ((), ("--profile",)):
        r = mpiexec("-n", 4, *option, "--stats", *VIRTUAL, PROBE, "late", TIMES)
        cycles.append(int(re.search(r"(\d+) cycles", r.err)[1]))
    expect(abs(cycles[1] / cycles[0] - 1) < 0.001, cycles)


def other_programs_and_early_ends():
    r = mpiexec("-n", 2, "--profile", "sh", "-c", "echo here")
    expect(r.code == 0 and r.out == "here\nhere\n" and "no rank has recorded" in r.err, r)
    r, rows = profile(4, "--timeout", 2, what=("crossed",), code=124)
    expect(rows["MPI_Send"][1] == "1", r)
    r = mpiexec("-n", 4, *VIRTUAL, PROBE, "late", TIMES)
    expect(r.code == 0 and "profile" not in r.err, r)


cases(counts_are_those_of_the_program, waiting_is_laid_at_the_last_ones_door,
      calls_are_named_by_file_and_line, virtual_time_is_the_same, other_programs_and_early_ends)

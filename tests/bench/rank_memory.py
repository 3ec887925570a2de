#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rank_memory.py MPIEXEC PROGRAM HELLO: what a rank of many in a process takes beside its stack,
when it has started and when all have sent to all, is within a budget; and what a rank more takes
of a cluster of mppa256."""
import re
import subprocess
import sys

FEW, MANY = 2, 192
BUDGET = {"after the start": 16, "after all-pairs traffic": 16}  # KB
MODELLED = (128, 192)  # ranks on 16 clusters
STACK, MORE = 8, 6  # KB of a rank: its stack, and what it and its names in other ranks may take


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=150,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def modelled(mpiexec, hello):
    used = [int(re.search(r"^lwmpi: memory +(\d+) KB", run(
        mpiexec, "-n", str(ranks), "--machine", "mppa256", "--map", "scatter", "--stats", hello),
        re.M).group(1)) for ranks in MODELLED]
    each = (used[1] - used[0]) / ((MODELLED[1] - MODELLED[0]) / 16) - STACK
    print(f"mppa256: {each:.1f} KB of {MORE} for a rank more")
    return not 1 < each <= MORE


def measure(mpiexec, program, ranks):
    said = run(mpiexec, "-n", str(ranks), "--ranks-per-cluster", str(ranks), program)
    return [[int(word) for word in line.split()] for line in said.splitlines()]


def hosted(mpiexec, program):
    few, many = (measure(mpiexec, program, ranks) for ranks in (FEW, MANY))
    wrong = 0
    for (when, budget), one, all_ranks in zip(BUDGET.items(), few, many):
        beside, stack = ((b - a) / (MANY - FEW) for a, b in zip(one, all_ranks))
        print(f"{when}: {beside:.1f} KB of {budget} for a rank, its stack {stack:.1f} KB")
        wrong += not 1 < beside <= budget or stack < 1
    return wrong


def main(mpiexec, program, hello):
    return int(modelled(mpiexec, hello) or hosted(mpiexec, program) > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rank_memory.py MPIEXEC PROGRAM: what a rank of many in a process takes beside its stack, when it
has started and when all have sent to all, is within a budget."""
import subprocess
import sys

FEW, MANY = 2, 192
BUDGET = {"after the start": 16, "after all-pairs traffic": 18}  # KB


def measure(mpiexec, program, ranks):
    done = subprocess.run([mpiexec, "-n", str(ranks), "--ranks-per-cluster", str(ranks), program],
                          capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{ranks} ranks ended with {done.returncode}: {done.stderr}")
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def main(mpiexec, program):
    few, many = (measure(mpiexec, program, ranks) for ranks in (FEW, MANY))
    wrong = 0
    for (when, budget), one, all_ranks in zip(BUDGET.items(), few, many):
        beside, stack = ((b - a) / (MANY - FEW) for a, b in zip(one, all_ranks))
        print(f"{when}: {beside:.1f} KB of {budget} for a rank, its stack {stack:.1f} KB")
        wrong += not 1 < beside <= budget or stack < 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

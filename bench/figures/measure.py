# SPDX-License-Identifier: MIT
"""Runs of the benchmark programs with many seeds, and what they say of each quantity."""
import concurrent.futures
import csv
import math
import os
import statistics
import subprocess

TIMEOUT = 120  # seconds for one run

# Two-sided 95 % quantiles of Student's distribution for 1, 2, ... degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
           2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
           2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def interval(values):
    """(mean, half the width of its 95 % confidence interval)."""
    mean, n = statistics.fmean(values), len(values)
    if n < 2:
        return mean, 0.0
    student = STUDENT[n - 2] if n - 2 < len(STUDENT) else 1.96
    return mean, student * statistics.stdev(values) / math.sqrt(n)


def run(command, seed):
    """{quantity: value} of one run; raises ValueError with what went wrong."""
    name = os.path.basename(command[0])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                              env={**os.environ, "LWMPI_SEED": str(seed)})
    except subprocess.TimeoutExpired:
        raise ValueError(f"{name}, seed {seed}: did not end within {TIMEOUT} s") from None
    if done.returncode:
        raise ValueError(f"{name}, seed {seed}: ended with {done.returncode}: "
                         f"{done.stderr.strip()[-500:]}")
    found = {}
    for cells in csv.reader(done.stdout.splitlines()):
        if len(cells) != 4:
            raise ValueError(f"{name}: printed {','.join(cells)!r} instead of "
                             "name,value,unit,target")
        found[cells[0].strip()] = float(cells[1]), cells[2].strip()
    return found


def measure(command, seeds, workers):
    """{quantity: (mean, half width, unit)} of a program run once with each seed."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        runs = list(pool.map(lambda seed: run(command, seed), seeds))
    return {name: (*interval([found[name][0] for found in runs]), unit)
            for name, (_, unit) in runs[0].items()}

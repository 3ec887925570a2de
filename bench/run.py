#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py FOLDER OUT.csv [RUNS] [NAME...]: runs all benchmark programs of FOLDER (or those whose
name contains a NAME) RUNS times each, prints the median of each figure beside its target, and
writes OUT.csv.

A program prints lines name,value,unit,target. Exit code 1 when a program fails or prints anything
else; a missed target is shown, but it is a result, not a failure. 2: RUNS is no number above 0."""
import argparse
import csv
import os
import platform
import re
import statistics
import subprocess
import sys

import commands

TIMEOUT = 300  # seconds for one run of one program


def machine():
    """The machine in one line: figures mean nothing without it."""
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith(("model name", "Model")):
                model = line.split(":", 1)[1].strip()
                break
    cores = len(os.sched_getaffinity(0))
    system = f"{platform.system()} {platform.release()}"
    return f"{model}, {cores} core{'s' if cores > 1 else ''}, {system}"


def figures(text):
    """{name: (value, unit, target)} of a benchmark's lines; raises ValueError if there is any other
    line, or none, or two of one name."""
    found = {}
    for cells in csv.reader(text.splitlines()):
        if len(cells) != 4:
            raise ValueError(f"printed {','.join(cells)!r} instead of name,value,unit,target")
        name, value, unit, target = (cell.strip() for cell in cells)
        if name in found:
            raise ValueError(f"printed {name!r} twice")
        found[name] = (float(value), unit, target)
    if not found:
        raise ValueError("printed nothing instead of name,value,unit,target")
    return found


def run(path):
    """The figures of one run; raises ValueError with what went wrong."""
    try:
        done = subprocess.run([path], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise ValueError(f"did not end within {TIMEOUT} s") from None
    if done.returncode:
        raise ValueError(f"ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return figures(done.stdout)


def met(value, target):
    """'yes', 'no', or '' when there is no target of the form <= number or >= number."""
    found = re.fullmatch(r"(<=|>=)\s*([0-9.]+([eE][-+]?[0-9]+)?)", target)
    if not found:
        return ""
    limit = float(found.group(2))
    return "yes" if (value <= limit if found.group(1) == "<=" else value >= limit) else "no"


def collect(path, runs):
    """Rows (name, median, lowest, highest, unit, target, met) of one program."""
    values, notes = {}, {}
    for _ in range(runs):
        for name, (value, unit, target) in run(path).items():
            values.setdefault(name, []).append(value)
            notes[name] = (unit, target)
    for name, found in values.items():
        middle = statistics.median(found)
        yield (name, f"{middle:.6g}", f"{min(found):.6g}", f"{max(found):.6g}", *notes[name],
               met(middle, notes[name][1]))


def main(folder, out, runs="3", *names):
    try:
        runs = commands.positive(int)(runs)
    except argparse.ArgumentTypeError as problem:
        print(f"bench: how often each program runs: {problem}", file=sys.stderr)
        return 2
    programs = sorted(p for p in os.listdir(folder) if os.access(os.path.join(folder, p), os.X_OK)
                      and os.path.isfile(os.path.join(folder, p))
                      and (not names or any(name in p for name in names)))
    if not programs:
        print(f"bench: no program in {folder} matches {' '.join(names) or 'anything'}")
        return 1
    print(f"machine: {machine()}; medians of {runs} runs\n"
          "  {:52} {:>11} {:6} {:4} {}".format("", "median", "target", "met", "unit"))
    failed, rows = 0, [("program", "name", "median", "min", "max", "unit", "target", "met")]
    for program in programs:
        print(f"{program}", flush=True)
        try:
            for row in collect(os.path.join(folder, program), runs):
                rows.append((program, *row))
                print("  {:52} {:>11} {:6} {:4} {}".format(*(row[i] for i in (0, 1, 5, 6, 4))),
                      flush=True)
        except (ValueError, OSError) as problem:
            failed += 1
            print(f"  failed: {problem}")
    with open(out, "w", encoding="utf-8", newline="") as file:
        file.write(f"# {machine()}; medians of {runs} runs\n")
        csv.writer(file, lineterminator="\n").writerows(rows)
    missed = sum(row[-1] == "no" for row in rows)
    print(f"{len(rows) - 1} figures, {missed} missed their target, {failed} programs failed; {out}")
    return 1 if failed else 0


if __name__ == "__main__":
    commands.run(lambda: main(*sys.argv[1:]))

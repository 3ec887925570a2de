#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py PROGRAMS OUT [--quick] [--seeds N]: repeats published experiments on the modelled
machine, prints published beside measured, and writes tables (CSV) and charts (SVG) to OUT.

Every program of the folder PROGRAMS that published.py names runs once with each seed (30 of them,
--quick: 2); a value is a mean with its 95 % confidence interval. A goal that was missed is a
result and shown; exit code 1 only when a program fails, 2 for a wrong command line."""
import argparse
import csv
import os
import re
import sys

import measure
import plot
import published

SEEDS, QUICK = 30, 2


def met(value, goal):
    """'yes', 'no', or '' without a goal."""
    found = re.fullmatch(r"(<=|>=)\s*([0-9.eE+-]+)", goal)
    if not found:
        return ""
    limit = float(found.group(2))
    return "yes" if (value <= limit if found.group(1) == "<=" else value >= limit) else "no"


def show(value, half):
    digits = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return digits if half < abs(value) * 5e-4 else f"{digits} ± {half:.2g}"


def programs():
    """The command lines that the tables need, each once."""
    wanted = [row[3] for row in published.ROWS] + [chart[4] for chart in published.LINES]
    return list(dict.fromkeys(wanted))


def collect(folder, seeds, workers):
    """{program: its quantities}, and how many programs failed."""
    found, failed = {}, 0
    for command in programs():
        name, *arguments = command.split()
        print(f"running {command} with {len(seeds)} seeds", flush=True)
        try:
            found[command] = measure.measure([os.path.join(folder, name), *arguments], seeds,
                                             workers)
        except (OSError, ValueError) as problem:
            print(f"  failed: {problem}")
            failed += 1
    return found, failed


def table(found, out):
    """Prints published beside measured; returns how many goals were missed."""
    form = "{:4} {:58} {:>11} {:>16}  {:9} {}"
    print(form.format("", "", "published", "measured", "wanted", "met"))
    rows, shown, missed = [], set(), 0
    for number, what, paper, program, quantity, goal in published.ROWS:
        if program not in found:
            continue
        if quantity not in found[program]:
            print(f"{number:4} {what}: {program} does not say '{quantity}'")
            missed += 1
            continue
        mean, half, unit = found[program][quantity]
        verdict = met(mean, goal)
        missed += verdict == "no"
        print(form.format(number, what, paper, show(mean, half), goal, verdict))
        rows.append((number, what, paper, f"{mean:.6g}", f"{half:.3g}", unit, goal, verdict,
                     program))
        shown.add(number)
    for number, note in published.NOTES.items():
        if number in shown:
            print(f"{number}: {note}")
    write(os.path.join(out, "published.csv"),
          ("id", "what", "published", "mean", "confidence95", "unit", "wanted", "met", "program"),
          rows)
    return missed


def write(path, head, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def series(quantities, pattern):
    """[(n, mean, half width)] of the quantities that the pattern names, in the order of n."""
    shape = re.compile(re.escape(pattern).replace(r"\{\}", r"(\d+)"))
    points = [(int(hit.group(1)), mean, half) for name, (mean, half, _) in quantities.items()
              for hit in [shape.fullmatch(name)] if hit]
    return sorted(points)


def charts(found, out):
    made = []
    for name, title, x_label, y_label, program, curves in published.LINES:
        data = {label: series(found.get(program, {}), pattern)
                for label, pattern in curves.items()}
        data = {label: points for label, points in data.items() if points}
        if not data:
            continue
        with open(os.path.join(out, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(plot.lines(title, x_label, y_label, data))
        write(os.path.join(out, name + ".csv"), (x_label, "series", "mean", "confidence95"),
              [(x, label, f"{mean:.6g}", f"{half:.3g}") for label, points in data.items()
               for x, mean, half in points])
        made.append(name)
    return made


def main():
    parser = argparse.ArgumentParser(prog="figures", description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", help="folder of the benchmark programs")
    parser.add_argument("out", help="folder for tables and charts")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} seeds instead of {SEEDS}")
    parser.add_argument("--seeds", type=int, metavar="N", help="so many seeds")
    options = parser.parse_args()
    count = options.seeds if options.seeds is not None else QUICK if options.quick else SEEDS
    if count < 1:
        parser.error(f"--seeds {count}: must be at least 1")
    os.makedirs(options.out, exist_ok=True)
    found, failed = collect(options.programs, range(1, count + 1), os.cpu_count() or 1)
    missed = table(found, options.out)
    made = charts(found, options.out)
    print(f"{missed} goals missed, {failed} programs failed; tables and {len(made)} charts in "
          f"{options.out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

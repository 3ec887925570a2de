#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py BUILD OUT [--quick] [--seeds N]: repeats published experiments on the modelled
machine, prints published beside measured, and writes tables (CSV) and charts (SVG) to OUT.

Every program that published.py names runs once with each seed (30 of them, MPI programs 10); a
value is a mean with its 95 % confidence interval. --quick: 2 seeds, small problems. A goal that
was missed is a result and shown; exit code 1 only when a program fails, 2 for a wrong command
line."""
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
    number = r"([0-9]+(?:\.[0-9]+)?)"
    found = re.fullmatch(rf"<= ?{number}|>= ?{number}|{number}\.\.{number}", goal)
    if not found:
        return ""
    most, least, low, high = (float(text) if text else None for text in found.groups())
    if low is not None:
        return "yes" if low <= value <= high else "no"
    return "yes" if (value >= least if most is None else value <= most) else "no"


def show(value, half):
    digits = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return digits if half < abs(value) * 5e-4 else f"{digits} ± {half:.2g}"


def collect(runner, seeds):
    """{program: {quantity: (values, unit)}}, and how many programs failed."""
    found, failed = {}, 0
    for program in published.programs():
        print(f"running {program}", flush=True)
        try:
            found[program] = runner.measure(program, seeds)
        except (OSError, ValueError) as problem:
            print(f"  failed: {program}: {problem}")
            failed += 1
    return found, failed


def look_up(found, value):
    """(mean, half width, unit) of a value of published.py; None if a program did not say it."""
    series = [found.get(program, {}).get(quantity)
              for program, quantity in zip(value[::2], value[1::2])]
    if None in series:
        return None
    if len(series) == 1:
        return (*measure.interval(series[0][0]), series[0][1])
    return (*measure.interval([a / b for a, b in zip(series[0][0], series[1][0])]), "ratio")


def table(found, out):
    """Prints published beside measured; returns how many goals were missed."""
    form = "{:4} {:62} {:>12} {:>16}  {:10} {}"
    print(form.format("", "", "published", "measured", "wanted", "met"))
    rows, missed = [], 0
    for number, what, paper, value, goal in published.ROWS:
        result = look_up(found, value)
        if result is None:
            print(form.format(number, what, paper, "nothing", goal, ""))
            continue
        mean, half, unit = result
        verdict = met(mean, goal)
        missed += verdict == "no"
        print(form.format(number, what, paper, show(mean, half), goal, verdict))
        rows.append((number, what, paper, f"{mean:.6g}", f"{half:.3g}", unit, goal, verdict))
    for number, note in published.NOTES.items():
        if any(row[0] == number for row in rows):
            print(f"{number}: {note}")
    write(out, "published", ("id", "what", "published", "mean", "confidence95", "unit", "wanted",
                             "met"), rows)
    return missed


def write(out, name, head, rows):
    with open(os.path.join(out, name + ".csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def draw(out, name, picture):
    with open(os.path.join(out, name + ".svg"), "w", encoding="utf-8") as file:
        file.write(picture)


def points(found, where):
    """[(x, mean, half width)] of a curve of published.LINES, in the order of x."""
    if isinstance(where, dict):
        results = ((x, look_up(found, value)) for x, value in where.items())
        return sorted((x, *result[:2]) for x, result in results if result)
    program, pattern = where
    return patterned(found.get(program, {}), pattern)


def patterned(quantities, pattern):
    """[(n, mean, half width)] of the quantities that the pattern names, in the order of n."""
    shape = re.compile(re.escape(pattern).replace(r"\{\}", r"(\d+)"))
    return sorted((int(hit.group(1)), *measure.interval(values))
                  for name, (values, _) in quantities.items()
                  for hit in [shape.fullmatch(name)] if hit)


def line_charts(found, out):
    for name, title, x_label, y_label, curves in published.LINES:
        data = {label: points(found, where) for label, where in curves.items()}
        data = {label: values for label, values in data.items() if values}
        if data:
            draw(out, name, plot.lines(title, x_label, y_label, data))
            write(out, name, (x_label, "series", "mean", "confidence95"),
                  [(x, label, f"{mean:.6g}", f"{half:.3g}") for label, values in data.items()
                   for x, mean, half in values])
            yield name


def bar_charts(found, out):
    for name, title, unit, bars in published.BARS:
        data = {bar: {part: look_up(found, value) for part, value in parts.items()}
                for bar, parts in bars.items()}
        data = {bar: {part: result[:2] for part, result in parts.items() if result}
                for bar, parts in data.items()}
        if any(data.values()):
            parts = list(dict.fromkeys(part for parts in data.values() for part in parts))
            draw(out, name, plot.bars(title, unit, list(data), parts, data))
            rows = [(bar, part, f"{mean:.6g}", f"{half:.3g}") for bar, parts in data.items()
                    for part, (mean, half) in parts.items()]
            for bar, parts in data.items() if name in published.WHOLE else ():
                left = published.WHOLE[name] - sum(mean for mean, _ in parts.values())
                print(f"{name}: {bar} leaves {show(left, 0)} {unit} to programs")
                rows.append((bar, "left", f"{left:.6g}", ""))
            write(out, name, ("bar", "part", "mean", "confidence95"), rows)
            yield name


def main():
    parser = argparse.ArgumentParser(prog="figures", description=__doc__.split("\n\n")[0])
    parser.add_argument("build", help="folder of the build")
    parser.add_argument("out", help="folder for tables and charts")
    parser.add_argument("--quick", action="store_true",
                        help=f"{QUICK} seeds instead of {SEEDS}, small problems")
    parser.add_argument("--seeds", type=int, metavar="N", help="so many seeds")
    options = parser.parse_args()
    count = options.seeds if options.seeds is not None else QUICK if options.quick else SEEDS
    if count < 1:
        parser.error(f"--seeds {count}: must be at least 1")
    os.makedirs(options.out, exist_ok=True)
    runner = measure.Runner(options.build, options.quick, os.cpu_count() or 1)
    found, failed = collect(runner, range(1, count + 1))
    missed = table(found, options.out)
    made = [*line_charts(found, options.out), *bar_charts(found, options.out)]
    print(f"{missed} goals missed, {failed} programs failed; tables and {len(made)} charts in "
          f"{options.out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

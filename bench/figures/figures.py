#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Repeats published experiments on the modelled machine, prints published beside measured, and
writes tables (CSV), charts (SVG, where matplotlib is installed) and report.html with all of it to
build/figures. Every program that published.py names runs once with each seed (30 of them, MPI
programs 10); a value is a mean with its 95 % confidence interval. A goal that was missed is a
result and shown; exit code 1 only when a program fails, 2 for a wrong command line."""
import argparse
import contextlib
import os
import re

import charts
import commands  # in the folder above, which measure.py, by charts.py, has put on the path
import experiment
import measure
import plot
import progress
import published
import report
import sensitivity
import table
import targets

QUICK_SEEDS = 2
VERDICTS = ("yes", "no", "differs", "short", "not done")


def arguments():
    parser = argparse.ArgumentParser(prog="lwmpi figures", description=__doc__)
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("out", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true",
                        help=f"{QUICK_SEEDS} seeds instead of {measure.SEEDS}, small problems on "
                             "fewer ranks, whose rows say so and are held against nothing")
    parser.add_argument("--seeds", type=commands.positive(int), metavar="N",
                        help="at most so many for each program")
    parser.add_argument("--only", metavar="NAME",
                        help="one chart (a2a), a figure (21a) or table (IV) of a source, or a "
                             "target (T42)")
    parser.add_argument("--sensitivity", nargs="?", const="few", choices=("few", "all"),
                        help="instead, change each price of the machine file by 20 %%, with one "
                             "seed, and tell which rows move: "
                             f"those on at most {sensitivity.FEW} ranks, or all but those of "
                             f"more than {sensitivity.BUSY} that wait busily")
    options = parser.parse_args()
    if options.sensitivity and (options.seeds or options.only):
        parser.error("--sensitivity has one seed and its own rows: neither --seeds nor --only goes "
                     "with it")
    options.seeds = options.seeds or (QUICK_SEEDS if options.quick else measure.SEEDS)
    return parser, options


def numbers(chart):
    """Of the figure or table that a chart repeats, by its title: "uller-2021, figure 21a: ...";
    "souto-2022:5" and "5" of both kinds."""
    found = re.match(r"(\S+), (?:figure|table) (\w+)", chart.title)
    return (found.group(2), f"{found.group(1)}:{found.group(2)}") if found else ()


def choose(parser, options, rows, wanted, pictures):
    """Rows, targets and charts that --only leaves."""
    name = options.only
    if name is None:
        return rows, wanted, pictures
    chosen = ([row for row in rows if row.id == name],
              [target for target in wanted if target.id == name],
              [chart for chart in pictures if name in (chart.file, *numbers(chart))])
    if not any(chosen):
        names = ", ".join(chart.file for chart in pictures)
        figures = ", ".join(dict.fromkeys(n for chart in pictures for n in numbers(chart)[1:]))
        ids = ", ".join(dict.fromkeys(target.id for target in wanted))
        parser.error(f"--only {name}: is no chart ({names}), no figure ({figures}) and no target "
                     f"({ids})")
    return chosen


def collect(runner, programs, seeds):
    """{program: its Result}, and how many programs failed."""
    found, failed, bar = {}, 0, progress.Progress(len(programs))
    with contextlib.closing(runner.measure(programs, seeds)) as results:
        for program, result in results:
            bar.step(program)
            if isinstance(result, Exception):
                bar.say(f"failed: {program}: {result}")
                failed += 1
            else:
                found[program] = result
    return found, failed


def heading(options, scale):
    seeds = f"{options.seeds} seed{'s' * (options.seeds != 1)}"
    if options.quick:
        return f"A short run: small problems, at most {scale.most} ranks, {seeds}"
    if options.seeds < measure.SEEDS:
        return f"A short run: {seeds}"
    return "Published experiments, repeated on the modelled machine"


def compare(parser, options, scale):
    """Runs everything and shows it; the exit code."""
    every = published.rows(scale)
    rows, wanted, pictures = choose(parser, options, every, targets.read(),
                                    published.charts(scale))
    os.makedirs(options.out, exist_ok=True)
    found, failed = collect(measure.Runner(options.build, os.cpu_count() or 1),
                            published.programs(rows, pictures), range(1, options.seeds + 1))
    print(heading(options, scale))
    lines = table.make(found, rows, wanted)
    said = table.remarks(lines, published.NOTES, published.not_done(scale))
    counts = []
    if lines:
        table.tell(lines, said)
        counts = [f"{sum(line.met == word for line in lines)} {word}" for word in VERDICTS]
    made = charts.make(found, options.out, pictures, plot.ready, every)
    if not plot.ready:
        print("No charts, only their tables: matplotlib is not installed")
    if options.only is None:
        table.write(options.out, "published", table.CELLS, [line.cells() for line in lines])
        report.write(options.out, heading(options, scale), lines, said, made, plot.ready)
    counts.append(f"{failed} program{'s' * (failed != 1)} failed")
    print(f"{', '.join(counts)}; {len(made)} chart{'s' * (len(made) != 1)} in {options.out}")
    return 1 if failed else 0


def main():
    parser, options = arguments()
    for name in measure.unheeded():
        print(f"{name} is set, and counts for none of these programs")
    scale = experiment.scale_of(options.build, options.quick)
    if options.sensitivity:
        os.makedirs(options.out, exist_ok=True)
        return sensitivity.run(options.build, options.out, scale, options.sensitivity == "all")
    return compare(parser, options, scale)


if __name__ == "__main__":
    commands.run(main)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py BUILD OUT [--quick] [--seeds N] [--only NAME]: repeats published experiments on the
modelled machine, prints published beside measured, and writes tables (CSV) and charts (SVG) to OUT.

Every program that published.py names runs once with each seed (30 of them, MPI programs 10); a
value is a mean with its 95 % confidence interval. --quick: 2 seeds, small problems on fewer ranks,
whose rows say so and are held against nothing. --only: one chart, or the rows of one target. A
goal that was missed is a result and shown; exit code 1 only when a program fails, 2 for a wrong
command line."""
import argparse
import os
import sys
import time

import charts
import experiment
import measure
import published
import table
import targets

SEEDS, QUICK_SEEDS = 30, 2


def arguments():
    parser = argparse.ArgumentParser(prog="figures", description=__doc__.split("\n\n")[0])
    parser.add_argument("build", help="folder of the build")
    parser.add_argument("out", help="folder for tables and charts")
    parser.add_argument("--quick", action="store_true",
                        help=f"{QUICK_SEEDS} seeds instead of {SEEDS}, small problems")
    parser.add_argument("--seeds", type=int, metavar="N", help="so many seeds")
    parser.add_argument("--only", metavar="NAME", help="one chart (a2a) or one target (T42)")
    options = parser.parse_args()
    if options.seeds is None:
        options.seeds = QUICK_SEEDS if options.quick else SEEDS
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: must be at least 1")
    return parser, options


def choose(parser, options, rows, wanted, pictures):
    """Rows, targets and charts that --only leaves."""
    name = options.only
    if name is None:
        return rows, wanted, pictures
    chosen = ([row for row in rows if row.id == name],
              [target for target in wanted if target.id == name],
              [chart for chart in pictures if chart.file == name])
    if not any(chosen):
        names = [chart.file for chart in pictures]
        ids = list(dict.fromkeys(target.id for target in wanted))
        parser.error(f"--only {name}: is no chart ({', '.join(names)}) and no target "
                     f"({', '.join(ids)})")
    return chosen


def collect(runner, programs, seeds):
    """{program: {quantity: (values, unit)}}, and how many programs failed."""
    found, failed, begin = {}, 0, time.monotonic()
    for i, (program, result) in enumerate(runner.measure(programs, seeds), 1):
        print(f"[{i}/{len(programs)}, {time.monotonic() - begin:.0f} s] {program}", flush=True)
        if isinstance(result, Exception):
            print(f"  failed: {program}: {result}")
            failed += 1
        else:
            found[program] = result
    return found, failed


def main():
    parser, options = arguments()
    scale = experiment.QUICK if options.quick else experiment.FULL
    rows, wanted, pictures = choose(parser, options, published.rows(scale), targets.read(),
                                    published.charts(scale))
    os.makedirs(options.out, exist_ok=True)
    seeds = range(1, options.seeds + 1)
    found, failed = collect(measure.Runner(options.build, os.cpu_count() or 1),
                            published.programs(rows, pictures), seeds)
    if options.quick:
        print(f"A short run: small problems, at most {scale.most} ranks, {options.seeds} seeds.")
    said = []
    if wanted:
        lines = table.make(found, rows, wanted, published.NOTES, published.NOT_DONE)
        said = [f"{sum(line.met == word for line in lines)} {word}"
                for word in ("yes", "no", "short", "not done")]
        if options.only is None:
            table.write(options.out, "published", table.CELLS, [line.cells() for line in lines])
    made = charts.make(found, options.out, pictures, seeds)
    said.append(f"{failed} programs failed")
    print(f"{', '.join(said)}; {made} chart{'s' * (made != 1)} in {options.out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures lwmpi beside other MPI libraries on this computer: every size and number of ranks, all
libraries in turns, medians, ratios, and the worst ratio of each row of the targets."""
import argparse
import csv
import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import commands
import library
import rows as targets
import table
from run import machine
from turns import Turns


SECONDS = 0.1  # of a point in each turn
BUSY = 0.5  # processes that want a processor besides: more than that and figures say little


def known(text):
    name = text.partition("=")[0]
    if name not in library.RECIPES:
        raise argparse.ArgumentTypeError(
            f"{name!r} is none of {', '.join(library.RECIPES)} (NAME or NAME=FOLDER)")
    return text


def arguments():
    parse = argparse.ArgumentParser(prog="lwmpi bench peers", description=__doc__)
    parse.add_argument("build", help=argparse.SUPPRESS)
    parse.add_argument("--only", metavar="PART", action="append", choices=targets.PARTS,
                       help=f"one row of the targets, may be repeated: {', '.join(targets.PARTS)}")
    parse.add_argument("--series", metavar="S", nargs="+",
                       help="of a row, as its tables name them: bcast, latency; all")
    parse.add_argument("--libraries", metavar="L", nargs="+", type=known,
                       default=list(library.RECIPES),
                       help=f"of {', '.join(library.RECIPES)}; NAME=FOLDER: an installation with "
                       "bin/mpicc and bin/mpiexec instead of one from PyPI")
    parse.add_argument("--turns", metavar="N", type=commands.positive(int), help="5; --quick: 2")
    parse.add_argument("--np", metavar="N", type=commands.positive(int), nargs="+",
                       help="ranks of the collectives between processes (2 4 16 64 192) and of "
                       "the programs (2 4)")
    parse.add_argument("--seconds", metavar="S", type=commands.positive(float),
                       help=f"what a point takes of a turn: {SECONDS:g}; --quick: 0.01")
    parse.add_argument("--limit", metavar="S", type=commands.positive(float), default=10,
                       help="a point that takes longer is shown as > S s and not waited for (10)")
    parse.add_argument("--quick", action="store_true",
                       help="few sizes, ranks and steps: shows that all works, its figures say "
                       "little")
    given = parse.parse_args()
    given.turns = given.turns or (2 if given.quick else 5)
    given.seconds = given.seconds or (0.01 if given.quick else SECONDS)
    return given


def heading(given, libraries):
    """What the figures are of; the CSV file begins with it as well."""
    yield f"machine: {machine()}"
    load = os.getloadavg()[0]
    if load > BUSY:
        yield f"BUSY: a load of {load:.1f} before the first run; a quiet computer's is below {BUSY}"
    yield f"medians of {given.turns} turns, about {given.seconds:g} s for a point"
    yield from library.settings(libraries)
    if given.quick or given.turns < 5 or given.series or given.seconds < SECONDS:
        yield ("SHORTENED: a trial, no measurement (a measurement has all series and sizes, 5 "
               f"turns or more, and {SECONDS:g} s or more for a point)")


def write(path, head, records):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {line}\n" for line in head)
        csv.writer(file, lineterminator="\n").writerows([table.HEADER, *records])


def main():
    given = arguments()
    libraries = library.find(given.libraries, os.path.join(given.build, "peers"), given.build)
    if not libraries:
        print("peers: no library to measure", file=sys.stderr)
        return 1
    rows = [row for row in targets.rows(libraries, given.np, given.quick)
            if row.jobs and row.name in (given.only or targets.PARTS)]
    head, out = list(heading(given, libraries)), os.path.join(given.build, "peers.csv")
    print("\n".join(head), flush=True)
    turns = Turns(libraries, rows, given.turns, given.seconds, given.limit, given.series)
    records, verdicts = [], []
    for row in rows:
        turns.run(row)
        found = table.points(row, turns)
        print(f"\n== {row.name}: {row.title}", *table.lines(row, found), sep="\n", flush=True)
        verdicts += table.verdicts(row, found)
        records += table.records(row, found)
        write(out, head, records)
    unknown = set(given.series or []) - {record[2] for record in records}
    print("\n== verdicts", *("  ".join(filter(None, line)) for line in verdicts),
          *(f"failed: {text}" for _, text in turns.failed),
          *(f"no part measured has a series {name}" for name in unknown),
          *(line for line in head if line.startswith(("BUSY", "SHORTENED"))), out, sep="\n")
    return 1 if unknown or any(name == library.OURS for name, _ in turns.failed) else 0


if __name__ == "__main__":
    commands.run(main)

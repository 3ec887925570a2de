#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures_test.py BUILD: ./lwmpi figures --quick on the real programs; what a wrong program and
a wrong command line get; the statistics against known values."""
import csv
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "figures")
sys.path.insert(0, FOLDER)
import measure  # noqa: E402 (found by the line above)
import plot  # noqa: E402
import published  # noqa: E402

wrong = 0


def check(holds, what):
    global wrong
    if not holds:
        wrong += 1
        print(f"wrong: {what}")


def figures(*arguments):
    done = subprocess.run([sys.executable, os.path.join(FOLDER, "figures.py"), *arguments],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def real(build):
    with tempfile.TemporaryDirectory() as out:
        code, said = figures(build, out, "--quick")
        check(code == 0, f"--quick ended with {code}: {said}")
        with open(os.path.join(out, "published.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        check([row["id"] for row in rows] == [row[0] for row in published.ROWS],
              f"rows missing in the table: {said}")
        for chart in published.CHARTS:
            for end in (".svg", ".csv"):
                check(os.path.exists(os.path.join(out, chart + end)), f"no {chart}{end}: {said}")
        for name in os.listdir(out):
            if name.endswith(".svg"):
                xml.dom.minidom.parse(os.path.join(out, name))


def faults():
    with tempfile.TemporaryDirectory() as folder:
        code, said = figures(folder, folder, "--quick")
        check(code == 1 and "failed: " in said, f"no programs: {code}, {said}")
        code, said = figures(folder, folder, "--seeds", "0")
        check(code == 2 and "at least 1" in said, f"no seeds: {code}, {said}")
        os.mkdir(os.path.join(folder, "bench"))
        path = os.path.join(folder, "bench", "program")
        runner = measure.Runner(folder, True, 1)
        for body, words in (("echo hello", "instead of name,value"), ("exit 3", "ended with 3")):
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + body + "\n")
            os.chmod(path, 0o755)
            try:
                runner.run("A=b program each", 1)
                check(False, f"'{body}' was accepted")
            except ValueError as problem:
                check(words in str(problem), f"'{body}': {problem}")


def numbers():
    mean, half = measure.interval([1, 2, 3, 4])
    check(mean == 2.5 and abs(half - 2.054) < 0.001, f"interval {mean} {half}")
    check(measure.interval([7]) == (7, 0), "interval of one value")
    check(measure.line([1, 2, 3], [5, 7, 9]) == (2, 3), "line through three points")
    for top in (0.003, 0.9, 1, 6.1, 17, 5000, 123456):
        marks = plot.ticks(top)
        check(marks[0] == 0 and marks[-1] >= top and 2 <= len(marks) <= 8, f"ticks of {top}")


if __name__ == "__main__":
    numbers()
    faults()
    real(sys.argv[1])
    print(f"{wrong} wrong")
    sys.exit(1 if wrong else 0)

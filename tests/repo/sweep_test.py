#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep_test.py BUILD: ./lwmpi sweep: what values mean, which are refused, and a sweep of a small
machine, whose table must follow from the key."""
import contextlib
import csv
import io
import os
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import sweep  # noqa: E402

MEANING = {"4..64:x2": [4, 8, 16, 32, 64], "4..63:x2": [4, 8, 16, 32], "0..9:+4": [0, 4, 8],
           "7..7:x3": [7], "8,2,8,16": [8, 2, 16], "5": [5]}
NONE = ("", "4..64", "4..64:x1", "0..64:x2", "4..64:+0", "64..4:x2", "a..b:x2", "4..64:*2", "1,,2",
        "-4..4:+2", "0..999999:+1")


def expect(condition, what):
    if not condition:
        sys.exit(f"sweep_test: {what}")


def called(build, *words):
    """(exit code, standard output, standard error) of a sweep."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = sweep.main(build, *words)
    return code, out.getvalue(), err.getvalue()


def values():
    for text, meaning in MEANING.items():
        expect(sweep.values(text) == meaning, f"{text}: {sweep.values(text)}")
    for text in NONE:
        code, out, err = called("", f"hz={text}", "program")
        expect(code == 2 and out == "" and "; " in err and text in err, f"{text}: {err}")
    code, _, err = called("", "hz", "program")
    expect(code == 2 and "KEY=FROM..TO:xN" in err, err)


def runs(build):
    """In a folder that looks like the build, as the tables land there."""
    program = os.path.join(build, "examples", "hello")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(build, "bin"), os.path.join(folder, "bin"))
        shown = ("-n", "4", "--machine", "mini", "--compute", "none", program)
        code, out, err = called(folder, "power.machine_uw=0..200000:+100000", *shown)
        expect(code == 0, out + err)
        with open(os.path.join(folder, "sweep", "power.machine_uw.csv"), encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        expect(head[:4] == ["power.machine_uw", "cycles", "seconds", "joules"], head)
        expect([row[0] for row in rows] == ["0", "100000", "200000"], rows)
        expect(len({(row[1], row[2]) for row in rows}) == 1, rows)  # power takes no time
        seconds = float(rows[0][2])
        for row in rows:  # watts times seconds, in the six decimals that are printed
            more = float(row[3]) - float(rows[0][3])
            expect(abs(more - int(row[0]) / 1e6 * seconds) <= 2e-6, rows)
        expect(all(cell in out for row in rows for cell in row), out)
        expect(os.path.exists(os.path.join(folder, "sweep", "power.machine_uw.svg")) ==
               sweep.plot.ready, out)
        shutil.rmtree(os.path.join(folder, "sweep"))
        code, out, err = called(folder, "compute_clusters=1..2:x2", "-n", "7", *shown[2:])
        expect(code == 1 and "exit code 2: mpiexec: 7 ranks" in out, out + err)
        expect("compute_clusters.csv" in os.listdir(os.path.join(folder, "sweep")), out)


values()
runs(sys.argv[1])
print("a sweep tells what follows from its key")

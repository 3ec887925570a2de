#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep.py BUILD KEY=VALUES [MPIEXEC'S OPTIONS] PROGRAM [ARGUMENTS]: runs a program once for each
value of a key of the machine file, prints a table of what each run took, and leaves it as
BUILD/sweep/KEY.csv and, where matplotlib is installed, as chart KEY.svg.

VALUES are FROM..TO:xN (each N times the one before), FROM..TO:+N (N more) or A,B,C, whole numbers;
the unit, if any, is the key's smallest. The machine is mppa256 unless --machine says another."""
import csv
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "figures"))
import plot  # noqa: E402

RANGE = re.compile(r"(\d+)\.\.(\d+):([x+])(\d+)")
MOST = 1000  # values
# What mpiexec --stats says of a run: column and its line.
COLUMNS = (("cycles", r"^lwmpi: time .*, (\d+) cycles"),
           ("seconds", r"^lwmpi: time +([0-9.]+) s"),
           ("joules", r"^lwmpi: energy +([0-9.]+) J"),
           ("KB in a cluster", r"^lwmpi: memory +(\d+) KB"),
           ("host seconds", r"^lwmpi: wall time +([0-9.]+) s"))
CHART = ("cycles", "joules")


def values(text):
    """The numbers that VALUES mean; ValueError says what is wrong."""
    if re.fullmatch(r"\d+(,\d+)*", text):
        return list(dict.fromkeys(map(int, text.split(","))))
    found = RANGE.fullmatch(text)
    if not found:
        raise ValueError(f'"{text}" is no list of values; right are 4..64:x2, 4..64:+4 and 4,8,12')
    value, last, step = int(found[1]), int(found[2]), int(found[4])
    times = found[3] == "x"
    if step < 1 + times or last < value or (times and value == 0):
        raise ValueError(f'"{text}" never comes to its end; right are 4..64:x2 and 4..64:+4')
    all_values = []
    while value <= last and len(all_values) <= MOST:
        all_values.append(value)
        value = value * step if times else value + step
    if len(all_values) > MOST:
        raise ValueError(f'"{text}" are more than {MOST} values; make the steps larger')
    return all_values


def figures(text):
    """A cell for each column; empty if nothing was said of it."""
    found = (re.search(pattern, text, flags=re.M) for _, pattern in COLUMNS)
    return [hit[1] if hit else "" for hit in found]


def run(mpiexec, key, value, words):
    """(the cells of one run, None), or (None, why there are none)."""
    done = subprocess.run([mpiexec, *words[0], "--stats", "--set", f"{key}={value}", *words[1]],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    if done.returncode == 0:
        return figures(done.stderr), None
    said = [line for line in done.stderr.splitlines() if not line.startswith("lwmpi: ")]
    return None, f"exit code {done.returncode}: {(said or ['said nothing'])[0]}"


def show(cells, widths):
    print("  ".join(cell.rjust(width) for cell, width in zip(cells, widths)), flush=True)


def charts(path, key, rows, command):
    """Two in a file: the figures of CHART over the key's values."""
    from matplotlib import pyplot, rc_context
    with rc_context(plot.STYLE):
        figure, all_axes = pyplot.subplots(1, 2, figsize=(plot.WIDE, plot.HIGH),
                                           layout="constrained")
        names = [name for name, _ in COLUMNS]
        log = len(rows) > 2 and rows[2][0] * rows[0][0] == rows[1][0] ** 2
        for axes, name in zip(all_axes, CHART):
            places = [row[0] for row in rows]
            axes.plot(places, [float(row[1][names.index(name)]) for row in rows], marker="o")
            plot.place_marks(axes, places, key, log)
            plot.value_marks(axes, name, False)
        figure.suptitle(f"What {key} changes", fontsize=12)
        figure.supxlabel(command[:plot.CAPTION], fontsize=8, color="#444444")
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def sweep(build, key, all_values, words):
    """The number of runs that failed."""
    mpiexec = os.path.join(build, "bin", "mpiexec")
    head = [key, *(name for name, _ in COLUMNS)]
    widths = [max(len(name), 12) for name in head]
    rows, failed = [], 0
    show(head, widths)
    for value in all_values:
        cells, why = run(mpiexec, key, value, words)
        if why:
            failed += 1
            print(f"{value:>{widths[0]}}  {why}", flush=True)
        else:
            rows.append((value, cells))
            show([str(value), *cells], widths)
    folder = os.path.join(build, "sweep")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, key)
    with open(path + ".csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(head)
        table.writerows([value, *cells] for value, cells in rows)
    print(f"{path}.csv")
    if not plot.ready:
        print("No chart, only the table: matplotlib is not installed")
    elif rows:
        charts(path + ".svg", key, rows, " ".join(["mpiexec", *words[0], *words[1]]))
        print(f"{path}.svg")
    return failed


def main(build, what, *command):
    key, equals, text = what.partition("=")
    try:
        if not equals or not re.fullmatch(r"[a-z_.]+", key):
            raise ValueError(f'"{what}" names no values of a key; right is KEY=FROM..TO:xN')
        all_values = values(text)
    except ValueError as wrong:
        print(f"sweep: {wrong}", file=sys.stderr)
        return 2
    machine = [] if "--machine" in command or "-machine" in command else ["--machine", "mppa256"]
    return 1 if sweep(build, key, all_values, (machine, list(command))) else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

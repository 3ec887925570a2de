#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures_test.py BUILD: ./lwmpi figures --quick on the real programs; its labels, on programs that
answer with the number of their ranks; its verdicts, against targets.csv; the table of
docs/performance.md, against its own; what a wrong program and a wrong command line get; the
statistics against known values."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "figures")
sys.path.insert(0, FOLDER)
import experiment  # noqa: E402 (found by the line above)
import measure  # noqa: E402
import plot  # noqa: E402
import published  # noqa: E402
import table  # noqa: E402
import targets  # noqa: E402

PAGE = os.path.join(FOLDER, "..", "..", "docs", "performance.md")
ALL = [*range(1, 15), 20, 30, 31, 32, *range(40, 52), *range(60, 73)]
RANKS = """#!/bin/sh
while [ "$1" != -n ]; do shift; done
printf 'work; %s s\\nlwmpi: time 1 s\\nlwmpi: energy %s J\\n' "$2" "$2"
"""

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


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def program(path, body):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(body)
    os.chmod(path, 0o755)


def real(build):
    with tempfile.TemporaryDirectory() as out:
        code, said = figures(build, out, "--quick")
        check(code == 0, f"--quick ended with {code}: {said}")
        rows = read(out, "published.csv")
        check({row["id"] for row in rows} >= {f"T{n:02}" for n in ALL}, "a target has no row")
        for row in rows:
            check(re.search(rf"^{row['id']} +{re.escape(row['what'])}", said, flags=re.M),
                  f"not printed: {row['id']} {row['what']}")
            check(row["met"] != "failed", f"{row['id']} {row['what']}: {row['met']}")
        check(re.search(r"^\[1/\d+, \d+ s\] ", said, flags=re.M), f"no progress: {said}")
        for chart in published.charts(experiment.QUICK):
            for end in (".svg", ".csv"):
                check(os.path.exists(os.path.join(out, chart.file + end)),
                      f"no {chart.file}{end}: {said}")
        for name in os.listdir(out):
            if name.endswith(".svg"):
                xml.dom.minidom.parse(os.path.join(out, name))


def only(build):
    for name, made in (("send", ["send.csv", "send.svg"]), ("T60", [])):
        with tempfile.TemporaryDirectory() as out:
            code, said = figures(build, out, "--quick", "--only", name)
            check(code == 0 and sorted(os.listdir(out)) == made, f"--only {name}: {code}, {said}")
            check(("T60 " in said) == (name == "T60") and "T61" not in said, f"{name}: {said}")
    code, said = figures(build, os.devnull, "--only", "nothing")
    check(code == 2 and "T42" in said and "a2a" in said, f"--only nothing: {code}, {said}")


def labels():
    """Programs take as many seconds and joules as they have ranks, so a label tells on itself."""
    for most, *options in ((48, "--quick"), (192, "--seeds", "1")):
        with tempfile.TemporaryDirectory() as folder:
            program(os.path.join(folder, "bin", "mpiexec"), RANKS)
            figures(folder, folder, *options)
            for name in ("fn", "gf", "km", "fn-energy", "gf-energy", "km-energy", "km-power"):
                rows = [row for row in read(folder, name + ".csv")
                        if not row["series"].endswith(", published")]
                check(max(int(row["ranks"]) for row in rows) == most, f"{options}: {name}.csv")
                for row in rows:
                    check(float(row["ranks"]) == float(row["mean"]),
                          f"{options}: {name}.csv: {row['ranks']} ranks, ran {row['mean']}")
            for row in read(folder, "published.csv"):
                check(row.get("unit") != "W" or row.get("ran on", "").split()[0] == row["mean"],
                      f"{options}: {row}")
            named(folder, most, options)


def named(folder, most, options):
    """Titles name the ranks that ran, and a short run."""
    with open(os.path.join(folder, "applications.svg"), encoding="utf-8") as file:
        check(f"{most} ranks" in file.read(), f"{options}: applications.svg names other ranks")
    for name in ("fn", "gf", "km", "km-power", "applications"):
        with open(os.path.join(folder, name + ".svg"), encoding="utf-8") as file:
            check(("(short run)" in file.read()) == (most == 48), f"{options}: {name}.svg: title")


def limits(target):
    """Lowest and highest value that the line of the file allows."""
    value = target.value.split("..")
    low, high = float(value[0]), float(value[-1])
    part = float(target.tolerance or 0) / 100
    if target.kind == "within":
        return low * (1 - part), low * (1 + part)
    if target.kind == "gain":
        return low - (low - 1) * part, low + (low - 1) * part
    if target.kind == "points":
        return low - part, low + part
    return (-1e99 if target.kind in ("at-most", "below") else low,
            1e99 if target.kind in ("at-least", "above") else high)


def words(target):
    """The words of a line and what the program reads of it say the same."""
    where = f"{target.id} {target.part}"
    found = re.search(r"within ([0-9.]+) (%|points)", target.compare)
    if found:
        check(target.tolerance == found.group(1) and
              target.kind == ("within" if found.group(2) == "%" else "points"), where)
    found = re.fullmatch(r"(<=|>=) ([0-9.]+)( %)?", target.compare)
    if found:
        value = float(found.group(2)) / 100 + 1 if found.group(3) else float(found.group(2))
        check(float(target.value) == value and
              target.kind == {"<=": "at-most", ">=": "at-least"}[found.group(1)], where)
    found = re.match(r"[0-9.]+\.\.[0-9.]+", target.compare)
    check(not found or (target.kind, target.value) == ("range", found.group(0)), where)
    check(not re.match("same s|reproduced", target.compare) or target.tolerance in ("", "15"),
          where)
    check(not re.match(r"must|the default", target.compare) or
          target.kind in ("above", "at-most", "at-least"), where)


def verdict(row, target):
    """Just inside of the limits of the file is met, just outside is not; an input never is."""
    low, high = limits(target)
    where = f"{row.id} {row.part}: {low}..{high}"
    step = 1e-9 * max(abs(end) for end in (low, high) if abs(end) < 1e99)
    inside = "-" if row.role == "input" else "yes"
    for end, way in ((low, 1), (high, -1)):
        if abs(end) < 1e99:
            check(table.verdict(row, target, end + way * step) == inside, f"{where}: not inside")
            check(table.verdict(row, target, end - way * step) == "no", f"{where}: not outside")
            if target.kind in ("above", "below", "at-least", "at-most"):
                own = "no" if target.kind in ("above", "below") else inside
                check(table.verdict(row, target, end) == own, f"{where}: its end is not '{own}'")


def honest():
    """Targets and rows fit each other, at both scales."""
    lines = targets.read()
    check(list(dict.fromkeys(line.id for line in lines)) == [f"T{n:02}" for n in ALL],
          "targets.csv lacks a target, or is out of order")
    places = {(line.id, line.part): line for line in lines}
    check(len(places) == len(lines), "targets.csv has a comparison twice")
    for line in lines:
        words(line)
    for scale in (experiment.FULL, experiment.QUICK):
        rows = published.rows(scale)
        done = {(row.id, row.part) for row in rows}
        check(len(done) == len(rows), "a row twice")
        for place in places:
            reason = {place, place[0]} & set(published.NOT_DONE)
            check((place in done) != bool(reason), f"{place}: a row or a reason why there is none")
        for row in rows:
            check(row.role in experiment.ROLES, f"{row.id} {row.part}: role {row.role}")
            check(bool(row.why) == (row.role != "prediction"), f"{row.id} {row.part}: why?")
            target = places.get((row.id, row.part))
            if experiment.is_short(row.value):
                check(table.verdict(row, target, 0) in ("", "short"), f"{row} has a verdict")
            elif target and target.kind != "report":
                verdict(row, target)
    for number, part in (("T01", "K, cycles/B"), ("T03", "K, cycles/B"), ("T10", "K, cycles/B"),
                         ("T61", "1 flow"), ("T64", "of a thread / of a task"),
                         ("T51", "power, opt, W")):
        check([row.role for row in rows if (row.id, row.part) == (number, part)] == ["input"],
              f"{number} {part} is an input of the model")


def documented():
    """The page's lines are those that a full run prints; an input is never met there either."""
    with open(PAGE, encoding="utf-8") as file:
        shown = [tuple(cell.strip() for cell in line.split("|")[1:-1])
                 for line in file if re.match(r"\| (T\d\d)? \|", line)]
    lines = [table.Line({}, target, row) for target, row in
             table.arrange(published.rows(experiment.FULL), targets.read())]
    told = [(line.id, line.what, line.published, line.wanted, line.role) for line in lines]
    there = [(number, what, paper, wanted, role)
             for number, what, paper, _, wanted, role, _ in shown]
    check(there == told, f"docs/performance.md: {sorted(set(there) ^ set(told))}")
    for number, what, _, here, _, role, met in shown:
        check(met.strip("*") in (("no", "-", "") if role == "input" else
                                 ("yes", "no", "") if role else ("not done",)) and
              bool(here) == bool(role), f"docs/performance.md: {number} {what}: {here}, {met}")


def faults():
    with tempfile.TemporaryDirectory() as folder:
        code, said = figures(folder, folder, "--quick")
        check(code == 1 and "failed: " in said, f"no programs: {code}, {said}")
        code, said = figures(folder, folder, "--seeds", "0")
        check(code == 2 and "at least 1" in said, f"no seeds: {code}, {said}")
        runner = measure.Runner(folder, 1)
        for body, why in (("echo hello", "instead of name,value"), ("exit 3", "ended with 3")):
            program(os.path.join(folder, "bench", "program"), "#!/bin/sh\n" + body + "\n")
            try:
                runner.run("A=b program each", 1)
                check(False, f"'{body}' was accepted")
            except ValueError as problem:
                check(why in str(problem), f"'{body}': {problem}")


def numbers():
    mean, half = measure.interval([1, 2, 3, 4])
    check(mean == 2.5 and abs(half - 2.054) < 0.001, f"interval {mean} {half}")
    check(measure.interval([7]) == (7, 0), "interval of one value")
    check(measure.line([1, 2, 3], [5, 7, 9]) == (2, 3), "line through three points")
    for top in (0.003, 0.9, 1, 6.1, 17, 5000, 123456):
        marks = plot.ticks(top)
        check(marks[0] == 0 and marks[-1] >= top and 2 <= len(marks) <= 8, f"ticks of {top}")
    for low, high in ((1, 1), (3, 7), (0.02, 400), (128, 32768)):
        marks = plot.log_ticks(low, high)
        check(marks[0] <= low and marks[-1] >= high and len(marks) >= 2, f"{low} to {high}")
    places = [(10 * i, "1,024") for i in range(9)]
    kept = [x for x, _ in plot.apart(places)]
    check(kept[0] == 0 and all(b - a > 5 * plot.LETTER for a, b in zip(kept, kept[1:])),
          f"labels touch: {kept}")


if __name__ == "__main__":
    numbers()
    honest()
    documented()
    faults()
    labels()
    only(sys.argv[1])
    real(sys.argv[1])
    print(f"{wrong} wrong")
    sys.exit(1 if wrong else 0)

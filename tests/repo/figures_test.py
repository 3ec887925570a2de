#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures_test.py BUILD: ./lwmpi figures --quick on the real programs, with and without charts;
its labels, on programs that write down what they were given; its verdicts, against targets.csv, and
that against agreed.csv; the table of docs/published.md, against its own; roles of rows, against
the marks of prices; what a wrong program and a wrong command line get; the statistics against known
values."""
import contextlib
import csv
import html.parser
import io
import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDER = os.path.join(ROOT, "bench", "figures")
sys.path[:0] = [FOLDER, os.path.join(ROOT, "tools")]
import charts  # noqa: E402 (found by the line above)
import conditions  # noqa: E402
import experiment  # noqa: E402
import measure  # noqa: E402
import prices  # noqa: E402
import published  # noqa: E402
import sensitivity  # noqa: E402
import souto  # noqa: E402
import table  # noqa: E402
import targets  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "published.md")
MODEL = os.path.join(ROOT, "docs", "model.md")
ALL = [*range(1, 15), 20, 30, 31, 32, *range(40, 52), *range(60, 73)]
# An mpiexec whose programs take as many seconds and joules as they have ranks, and write down what
# they were given. With RANKS it runs that many, whatever it was asked for.
FAKE = """#!/bin/sh
echo "$LWMPI_SEED $LWMPI_VARIANT $LWMPI_PROTOCOLS $*" >>"$ASKED"
map=compact
while [ "$1" != -- ] && [ $# -gt 0 ]; do
    [ "$1" != -n ] || n=${RANKS:-$2}
    [ "$1" != --map ] || map=$2
    shift
done
printf 'work: %s pieces; MPI, %s ranks; %s s\\n' "$n" "$n" "$n"
printf 'lwmpi: machine      mppa256, network model fluid\\n'
printf 'lwmpi: ranks        %s, mapping %s, at most 12 in each of 16 clusters\\n' "$n" "$map"
printf 'lwmpi: computation  %s: in a word\\n' "$LWMPI_COMPUTE"
printf 'lwmpi: time 1 s\\nlwmpi: energy %s J\\n' "$n"
"""

wrong = 0


def check(holds, what):
    global wrong
    if not holds:
        wrong += 1
        print(f"wrong: {what}")


def python_with_charts(build):
    """An interpreter that has matplotlib: this one, or that of ./lwmpi; None without."""
    for python in (sys.executable, os.path.join(build, "tools", "bin", "python")):
        if os.path.exists(python) and not subprocess.run([python, "-c", "import matplotlib"],
                                                         capture_output=True).returncode:
            return python
    return None


def figures(*arguments, python=sys.executable, variables=()):
    done = subprocess.run([python, os.path.join(FOLDER, "figures.py"), *arguments],
                          capture_output=True, text=True, env={**os.environ, **dict(variables)})
    return done.returncode, done.stdout + done.stderr


def without_charts(folder):
    """Variables with which no interpreter finds matplotlib."""
    program(os.path.join(folder, "matplotlib.py"), "raise ImportError('hidden by the test')\n")
    return {"PYTHONPATH": folder}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def program(path, body):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(body)
    os.chmod(path, 0o755)


class Page(html.parser.HTMLParser):
    """What report.html links to and shows, and how its tags pair."""
    VOID = ("meta", "img")

    def __init__(self, path):
        super().__init__()
        self.images, self.links, self.open, self.fault, self.rows = [], [], [], "", 0
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())
        self.fault = self.fault or " ".join(self.open)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.images += [values["src"]] if tag == "img" else []
        self.links += [values["href"]] if tag == "a" else []
        self.rows += tag == "tr"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.fault = self.fault or f"</{tag}>"


def reported(out, rows, names, drawn):
    """The page has all charts, every row of the table, and every link leads to something."""
    page = Page(os.path.join(out, "report.html"))
    check(not page.fault, f"report.html: tags do not pair at {page.fault}")
    check(page.rows == len(rows) + 1, f"report.html: {page.rows} rows for {len(rows)}")
    check(page.images == ([f"{name}.svg" for name in names] if drawn else []),
          f"report.html: images {page.images}")
    check({f"{name}.csv" for name in names} <= set(page.links), "report.html: a CSV without link")
    for link in page.images + [link for link in page.links if not link.startswith("#")]:
        check(os.path.exists(os.path.join(out, link)), f"report.html: {link} is not there")


def real(build, python):
    """All of a short run, with charts if there is what draws them."""
    with tempfile.TemporaryDirectory() as out:
        hidden = {} if python else without_charts(out)
        code, said = figures(build, out, "--quick", python=python or sys.executable,
                             variables=hidden)
        check(code == 0, f"--quick ended with {code}: {said}")
        rows = read(out, "published.csv")
        check({row["id"] for row in rows} >= {f"T{n:02}" for n in ALL}, "a target has no row")
        for row in rows:
            check(re.search(rf"^{row['id']} +{re.escape(row['what'])}", said, flags=re.M),
                  f"not printed: {row['id']} {row['what']}")
            check(row["met"] != "failed", f"{row['id']} {row['what']}: {row['met']}")
            check((row["seeds"] in ("1", "2")) == bool(row["mean"]), f"seeds of {row}")
            computed(row, f"{row['id']} {row['what']}")
        check(re.search(r"^\[#+\] (\d+)/\1, \d+ s", said, flags=re.M), f"no progress: {said}")
        check(("No charts" in said) == (not python), said)
        names = [chart.file for chart in published.charts(experiment.scale_of(build, True))]
        for name in names:
            for row in read(out, name + ".csv"):
                computed(row, f"{name}.csv")
            caption = titles(out)[name][1]
            of = {"km-power": "a price was chosen by: published T51", "spawn-ratio": "T61",
                  "throughput-io": "went into the model: published T05, T06, T07, T08"}
            check(of.get(name, "") in caption and
                  (": published T" in caption) == (name in (*of, "send", "throughput", "rate")),
                  f"{name}: what was its model made with? {caption}")
            check(("computation: " in caption) == (name != "footprint" or "mppa256" in caption),
                  f"{name}: how is computed? {caption}")
        drawn = [name for name in os.listdir(out) if name.endswith(".svg")]
        check(len(drawn) == (len(names) if python else 0), drawn)
        for name in drawn:
            picture = xml.dom.minidom.parse(os.path.join(out, name)).toxml()
            check(f"<!-- {titles(out)[name[:-4]][0]} -->" in picture, f"{name}: another title")
        reported(out, rows, names, bool(python))


def computed(row, where):
    """A row says how computation takes time in the programs that it is made of."""
    programs = row["programs"].split("; ") if row["programs"] else []
    ways = {"counted" if program.startswith((experiment.BARE, "LWMPI_COMPUTE=counted")) else
            "" if program == souto.FOOTPRINT else
            "annotated" if "mpi " in program else "none" for program in programs}
    check(row["computation"] == ", ".join(sorted(ways - {""})),
          f"{where}: computed '{row['computation']}', ran {programs}")


def only(build):
    for name, made in (("send", ["send"]), ("T60", []), ("21a", ["km"]),
                       ("souto-2022:5", ["flows"]), ("souto-2022:15a", ["remote-call"]),
                       ("14a", ["join", "spawn", "spawn-ratio"])):
        with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as hidden:
            code, said = figures(build, out, "--quick", "--only", name,
                                 variables=without_charts(hidden))
            check(code == 0 and sorted(os.listdir(out)) == sorted(f"{each}.csv" for each in made),
                  f"--only {name}: {code}, {said}")
            check(("T60 " in said) == (name == "T60") and "T61" not in said, f"{name}: {said}")
    code, said = figures(build, os.devnull, "--only", "nothing")
    check(code == 2 and all(name in said for name in ("T42", "a2a", "uller-2021:21a")),
          f"--only nothing: {code}, {said}")


def labels():
    """Programs take as many seconds and joules as they have ranks, so a label tells on itself."""
    for most, ranks, way, *options in ((48, 3, "annotated", "--quick"),
                                       (192, 5, "counted", "--seeds", "1")):
        with tempfile.TemporaryDirectory() as folder:
            asked = os.path.join(folder, "asked")
            program(os.path.join(folder, "bin", "mpiexec"), FAKE)
            figures(folder, folder, *options,
                    variables={"ASKED": asked, "LWMPI_COMPUTE": way, **without_charts(folder)})
            with open(asked, encoding="utf-8") as file:
                commands = file.read().splitlines()
            for name in ("fn", "gf", "km", "fn-energy", "gf-energy", "km-energy", "km-power"):
                rows = [row for row in read(folder, name + ".csv")
                        if not row["series"].endswith(", published")]
                check(len(rows) == 6 * ranks, f"{options}: {name}.csv: {len(rows)} rows")
                check(max(int(row["ranks"]) for row in rows) == most, f"{options}: {name}.csv")
                for row in rows:
                    ran(row, commands, f"{options}: {name}.csv")
                    check(row["computation"] == way, f"{options}: {name}.csv: {row}")
            for row in read(folder, "published.csv"):
                check(row.get("unit") != "W" or row.get("ran on", "").split()[0] == row["mean"],
                      f"{options}: {row}")
            named(folder, most, way, options)


def ran(row, commands, where):
    """A row says ranks, problem and seeds of the commands that were given for it."""
    n, words = row["ranks"], row["programs"].split()
    check(float(n) == float(row["mean"]), f"{where}: {n} ranks, ran {row['mean']}")
    check(row["ran on"].split()[0] == n and row["problem"] == f"{n} pieces", f"{where}: {row}")
    protocols = re.findall(r"LWMPI_PROTOCOLS=(\S+)", row["programs"])
    application = " ".join(words[words.index("--") + 1:])
    given = {line.split()[0] for line in commands
             if f" -n {n} " in line and line.endswith("/" + application) and
             (line.split()[1] in protocols or not protocols and line.split()[1] == "-n")}
    check(len(given) == int(row["seeds"]), f"{where}: {row['programs']}: seeds {sorted(given)}")


def other_ranks():
    """A program that runs on other ranks than it was asked for has failed."""
    with tempfile.TemporaryDirectory() as folder:
        program(os.path.join(folder, "bin", "mpiexec"), FAKE)
        code, said = figures(folder, folder, "--quick", "--only", "21a", variables={
            "ASKED": os.devnull, "RANKS": "7", **without_charts(folder)})
        check(code == 1 and "7) instead of" in said, f"7 ranks instead: {code}, {said}")


def named(folder, most, way, options):
    """Titles name the ranks that ran, and a short run; captions what it ran on."""
    figures_there = titles(folder)
    for name, ranks in (("applications", f", {most} ranks"), ("fn", ""), ("km-power", "")):
        title, caption = figures_there[name]
        check(title.endswith(f"{ranks} (short run)") and title.count(" ranks") == bool(ranks),
              f"{options}: {name}: {title}")
        for words in ("mppa256, network model fluid", f"computation: {way}", f"{most} ranks",
                      "protocols: ", "seed"):
            check(words in caption, f"{options}: {name}: no '{words}': {caption}")


def titles(out):
    """{name: (title, caption)} of the charts on the page."""
    with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
        found = re.findall(r'<figure id="(.*?)"><h3>(.*?)</h3>.*?<figcaption>(.*?); <a',
                           file.read())
    return {name: (title, caption) for name, title, caption in found}


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


# What the words of agreed.csv ask for: {words: [(kind of comparison, value, tolerance)]}. For each
# words found a line of targets.csv obeys one of these, and no line obeys none. A value None is the
# published number; "\\1" is the number in the words.
RULES = {
    r"within (\d+) %": [("within", None, r"\1")],
    r"within (\d+) points": [("points", None, r"\1")],
    r"(\d\.\d\.\.\d\.\d) for": [("range", r"\1", "")],
    r">= ([\d.]+)": [("at-least", r"\1", "")],
    r"<= ([\d.]+)$": [("at-most", r"\1", "")],
    r"<= 2 %": [("at-most", "1.02", "")],
    r"^(\d+)$": [("within", r"\1", "0")],
    r"must beat": [("above", None, "")],
    r"must appear": [("above", "1", "")],
    r"must fall less|^reported|figure reported": [("report", "", "")],
    r"must close the gap|must not lose": [("at-most", "1", ""), ("at-least", "1", "")],
    r"fits the budget": [("at-most", "2097152", "")],
    r"energy follows time": [("within", "1", "15")],
    r"reproduced": [("gain", None, "15")],
    r"same shape": [("gain", None, "15"), ("above", "1", ""), ("below", "1", "")],
    r"same sign and size": [("gain", None, "15"), ("range", None, "")],
    r"same sign;": [("above", "1", "")],
    r"same order": [("above", "1", ""), ("report", "", "")],
    r"same knee": [("above", "1", ""), ("above", "1.3", ""), ("at-most", "1.3", "")],
}


def numbers_in(text):
    """Numbers of a text, and what per cents of them mean as a ratio."""
    found = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
    return {number for n in found for number in (n, n / 1024, n / 100, 1 + n / 100, 1 - n / 100)}


def obeys(target, found, allowed):
    """Whether a line is one of the comparisons that found words allow."""
    return any(target.kind == kind and target.tolerance == found.expand(tolerance) and
               (value is None or target.value == found.expand(value))
               for kind, value, tolerance in allowed)


def agreed():
    """targets.csv takes apart what agreed.csv says, and makes nothing easier."""
    lines, words = targets.read(), ""
    in_words = read(FOLDER, "agreed.csv")
    check([row["id"] for row in in_words] == [f"T{n:02}" for n in ALL],
          "agreed.csv lacks a target, or is out of order")
    for row in in_words:
        words = words if row["how to compare"] == "same" else row["how to compare"]
        own = [line for line in lines if line.id == row["id"]]
        asked = [(found, allowed) for pattern, allowed in RULES.items()
                 for found in [re.search(pattern, words)] if found]
        check({line.source for line in own} == {row["source"]}, f"{row['id']}: source")
        for line in own:
            check(any(obeys(line, *each) for each in asked),
                  f"{line.id} {line.part}: '{line.kind} {line.value} {line.tolerance}' is not what "
                  f"'{words}' asks for")
        for found, allowed in asked:
            check(any(obeys(line, found, allowed) for line in own),
                  f"{row['id']}: no line for '{found.group(0)}'")
        quoted(row, own)


def quoted(row, own):
    """Every number that targets.csv calls published is one of agreed.csv, or follows from two."""
    there = numbers_in(" ".join(row.values()))
    there |= {a / b for a in there for b in there if b}
    there |= {3800.0 * (512 // 96 + 1)} if row["id"] == "T09" else set()
    for line in own:
        values = re.findall(r"\d+(?:\.\d+)?", line.published)
        if line.kind in ("within", "gain", "points") and float(line.value) != 1:
            values.append(line.value)
        for value in values:
            digits = len(value.partition(".")[2])
            check(any(round(number, digits) == float(value) for number in there),
                  f"{line.id} {line.part}: {value} is not in agreed.csv: {row}")


def verdict(row, target):
    """Just inside of the limits of the file is met, just outside is not; an input never is."""
    low, high = limits(target)
    where = f"{row.id} {row.part}: {low}..{high}"
    if low == high:
        check(table.verdict(row, target, low) == "yes" and
              table.verdict(row, target, low + 1) == "differs",
              f"{row.id} {row.part}: exactly {low}")
        return
    step = 1e-9 * max(abs(end) for end in (low, high) if abs(end) < 1e99)
    inside = "-" if row.role in ("input", "fit") else "yes"
    beside = "differs" if row.role == "design" and -1e99 < low and high < 1e99 else "no"
    for end, way in ((low, 1), (high, -1)):
        if abs(end) < 1e99:
            check(table.verdict(row, target, end + way * step) == inside, f"{where}: not inside")
            check(table.verdict(row, target, end - way * step) == beside,
                  f"{where}: not outside")
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
    for scale in (experiment.FULL._replace(hpl=True, bare=True), experiment.FULL, experiment.QUICK):
        rows = published.rows(scale)
        done = {(row.id, row.part) for row in rows}
        check(len(done) == len(rows), "a row twice")
        for place in places:
            reason = {place, place[0]} & set(published.not_done(scale))
            check((place in done) != bool(reason), f"{place}: a row or a reason why there is none")
        for chart in published.charts(scale):
            check(not re.search(r"\d (ranks|seeds)", chart.title),
                  f"{chart.file}: its title says what ran before it does: {chart.title}")
            told = set(getattr(chart, "targets", ()))
            check(bool(told) == bool(getattr(chart, "published", {})) and
                  told <= {number for number, _ in places},
                  f"{chart.file}: of which targets are its published values? {told}")
        for row in rows:
            check(row.role in experiment.ROLES, f"{row.id} {row.part}: role {row.role}")
            check(bool(row.why) == (row.role != "prediction"), f"{row.id} {row.part}: why?")
            target = places.get((row.id, row.part))
            if experiment.is_short(row.value):
                check(table.verdict(row, target, 0) in ("", "short"), f"{row} has a verdict")
            elif target and target.kind != "report":
                verdict(row, target)
    for row in rows:
        kinds = {marks()[key].kind for key in keys_of(row)}
        check(kinds == {"input": {"paper"}, "fit": {"fit"}}.get(row.role, set()),
              f"{row.id} {row.part}: is called {row.role}, its prices {kinds}: {row.why}")


def marks():
    """{key: its price} of the machine that the rows are of."""
    return {price.key: price for price in prices.read(ROOT, sensitivity.FILE)}


def keys_of(row):
    """The prices that a row was made with, by its own words."""
    return re.findall(r"\b(?:noc|cost|power|compute)\.\w+", row.why) \
        if row.role in ("input", "fit") else []


def residuals(shown):
    """What a price was fitted to, says its mark, comes out as the page shows it."""
    for price in marks().values():
        target = re.search(r"T\d\d", price.mark)
        if price.kind != "fit":
            continue
        left = {int(text) for text in re.findall(r"([+-]\d+) %", price.mark)}
        there = [100 * (first(here) / first(paper) - 1)
                 for number, _, paper, here, _, role, _ in shown
                 if target and number == target.group(0) and role == "fit" and here]
        check(bool(there), f"{price.key}: fitted to what? {price.mark}")
        check(all(any(abs(part - value) <= 1 for value in there) for part in left),
              f"{price.key}: {price.mark}, but the page has {there}")
        check(any(price.key in keys_of(row) for row in published.rows(experiment.FULL)),
              f"{price.key} was fitted, and no row says so")


def first(text):
    """The first number of a cell."""
    return float(re.search(r"\d[\d,]*(?:\.\d+)?", text).group(0).replace(",", ""))


def documented():
    """The page's lines are those that a full run prints; an input is never met there either."""
    with open(PAGE, encoding="utf-8") as file:
        shown = [tuple(cell.strip() for cell in line.split("|")[1:-1])
                 for line in file if re.match(r"\| (T\d\d)? \|", line)]
    rows = published.rows(experiment.FULL._replace(hpl=True, bare=True))
    lines = [table.Line({}, target, row) for target, row in table.arrange(rows, targets.read())]
    told = [(line.id, line.what, line.published, line.wanted, line.role) for line in lines]
    there = [(number, what, paper, wanted, role)
             for number, what, paper, _, wanted, role, _ in shown]
    check(there == told, f"docs/published.md: {sorted(set(there) ^ set(told))}")
    for number, what, _, here, _, role, met in shown:
        words = {"input": ("no", "-", ""), "fit": ("no", "-", ""), "": ("not done",),
                 "design": ("yes", "no", "differs", "")}.get(role, ("yes", "no", ""))
        check(met.strip("*") in words and
              bool(here) == bool(role), f"docs/published.md: {number} {what}: {here}, {met}")
    residuals(shown)


def swept():
    """The whole command, on programs that no price moves and for one price alone."""
    said, every = io.StringIO(), prices.read
    with tempfile.TemporaryDirectory() as folder:
        program(os.path.join(folder, "bin", "mpiexec"), FAKE)
        os.environ["ASKED"] = os.path.join(folder, "asked")
        prices.read = lambda *place: [price for price in every(*place) if price.key == "cost.ipi"]
        with contextlib.redirect_stdout(said):
            code = sensitivity.run(folder, folder, experiment.QUICK)
        prices.read = every
        check(not read(folder, "sensitivity.csv"), "fixed programs moved")
    for words in ("mppa256, network model fluid, seed 1, at most 16 ranks, small problems\n",
                  "\n| cost.ipi = 300 cycles | fit | 240 | 0 | none | none |\n",
                  "\n| cost.ipi = 300 cycles | fit | 360 | 0 | none | none |\n", "] 3/3, "):
        check(words in said.getvalue(), f"--sensitivity: no {words!r}: {said.getvalue()}")
    check(code == 1 and said.getvalue().count("failed: task_spawn.sim") == 1,
          f"no benchmarks: {code}, {said.getvalue()}")


def rows_of(page):
    """The rows of all tables of a page, cell by cell."""
    with open(page, encoding="utf-8") as file:
        return [[cell.strip().strip("*") for cell in line.split("|")[1:-1]] for line in file
                if line.startswith("| ")]


def modelled():
    """The page about the model counts what docs/published.md shows, and has the fits of the
    machine file and the values of its prices."""
    compared = [(role or met, met) for number, what, _, _, _, role, met in
                (row for row in rows_of(PAGE) if len(row) == 7 and re.match(r"T\d\d$", row[0]))
                if not what.startswith("beside: ")]
    rows = rows_of(MODEL)
    for role in (*experiment.ROLES, "not done"):
        met = [verdict for each, verdict in compared if each == role]
        told = [str(len(met)), str(met.count("yes")), str(met.count("no")),
                str(len(met) - met.count("yes") - met.count("no"))]
        told = told if role in experiment.ROLES else [told[0], "", "", ""]
        check([role, *told] in rows, f"docs/model.md: {role} is not {told}")
    fits = {row[0]: row[1] for row in rows if len(row) == 3 and "residual" in row[1]}
    check(fits == {key: price.mark for key, price in marks().items() if price.kind == "fit"},
          f"docs/model.md: fits {fits}")
    there = {f"{key} = {price.value} {price.unit}": price.kind for key, price in marks().items()}
    for row in rows:
        check(" = " not in row[0] or there.get(row[0]) == row[1],
              f"docs/model.md: {row[:2]}: not in the machine file")


def moves(build):
    """The machine file changes in one value; a row that depends on it moves, others do not."""
    with open(os.path.join(ROOT, sensitivity.FILE), encoding="utf-8") as file:
        text = file.read()
    price = marks()["cost.copy_byte_milli"]
    check(sensitivity.tried(price) == ["1.024", "1.536"], sensitivity.tried(price))
    check(sensitivity.tried(marks()["noc.core_bytes"]) == ["2"], "1 B/cycle has one neighbour")
    other = sensitivity.changed(text, price, "1.536")
    check(other != text and other.replace("= 1.536", "= 1.28") == text, "more than a value changed")
    rows = [row for row in published.rows(experiment.QUICK) if row.id in ("T01", "T10", "T60")]
    with tempfile.TemporaryDirectory() as folder:
        before, failed = sensitivity.lines(build, os.path.join(ROOT, "machines"), rows, {})
        program(os.path.join(folder, "mppa256.machine"), other)
        after, failed_too = sensitivity.lines(build, folder, rows, {})
    check(not failed + failed_too, f"{failed} {failed_too}")
    found = {(line.id, line.part): change for line, _, change in sensitivity.moved(before, after)}
    check(abs(found.pop(("T10", "K, cycles/B"), 0) - 0.2) < 0.01, f"a copied byte: {found}")
    check(not any(number in ("T01", "T60") for number, _ in found), f"these moved, too: {found}")


def concern():
    """A price runs the rows that it can move; nobody waits busily in them."""
    rows = published.rows(experiment.FULL)
    for key, some, others in (("cost.match", {"T01", "T60", "T72"}, set()),
                              ("cost.vendor_mail", {"T09", "T32"}, {"T43", "T60"}),
                              ("cost.ddr_send", {"T05"}, {"T02", "T09", "T43"}),
                              ("cost.thread_search", {"T61", "T67"}, {"T01", "T60", "T70"}),
                              ("power.core_idle_uw", {"T51", "T63"}, {"T01", "T43", "T61"}),
                              ("compute.branch_milli", set(), {row.id for row in rows})):
        there = {row.id for row in sensitivity.concerned(marks()[key], rows)}
        check(some <= there and not others & there, f"{key} concerns {sorted(there)}")
    there = {(row.id, row.part) for row in rows if sensitivity.on_few(row)}
    check({("T47", "fewest ranks"), ("T01", "h, cycles"), ("T60", "tasks / threads")} <= there and
          not {("T45", "opt"), ("T47", "most ranks"), ("T46", "best over ranks")} & there,
          f"on few ranks: {sorted(there)}")
    bare = [row for row in published.rows(experiment.FULL._replace(bare=True))
            if "bare metal" in row.part or row.part == "full / baseline"]
    check({row.id for row in bare} == {*(f"T6{n}" for n in range(6)), "T71"},
          f"beside the machine: {bare}")
    there = sensitivity.concerned(marks()["cost.match"], bare)
    check(not there, f"prices of the machine file cannot move {there}")


def smaller():
    """A run for many values says what it left out of the table's problems, and leaves it out; what
    took longest is first; verdicts on what a price was chosen by do not hang on it."""
    scale = experiment.FULL._replace(ranks=sensitivity.RANKS, share=sensitivity.SHARE)
    told = sensitivity.size(scale, True)
    check(told == "12, 48, 192 ranks, at most 48 that wait busily, GF with 4 images for each "
          "cluster, KM with 3 passes", told)
    every = [sensitivity.on_few(row, sensitivity.BUSY, experiment.ANCESTOR)
             for row in published.rows(scale)]
    kept = {(row.id, row.part) for row, few in zip(published.rows(scale), every) if few}
    check({("T44", "opt"), ("T43", "opt, ancestor"), ("T62", "1 flow")} <= kept and
          ("T44", "opt, ancestor") not in kept, f"--sensitivity all keeps {sorted(kept)}")
    ran = published.programs(list(published.rows(scale)), [])
    for words in ("mpi 192 -- gf --images 64 --published", "mpi 12 -- km --iterations 3"):
        check(any(line.endswith(words) for line in ran), f"--sensitivity all does not run {words}")
    check(not any("--images 384" in line or line.endswith("km --published") for line in ran),
          "--sensitivity all runs whole problems")
    cells = [("cost.ipi", "300", value, number, "part", role, "1", "2", "100", *met)
             for value, number, role, met in (("240", "T10", "prediction", ("no", "yes")),
                                              ("360", "T10", "design", ("yes", "no")),
                                              ("360", "T64", "fit", ("-", "no")),
                                              ("360", "T65", "prediction", ("yes", "yes")))]
    told = sensitivity.hang(cells)
    check(told == "verdicts on predictions and designs hang on 1 price: cost.ipi (T10)", told)


def reused():
    """A variant that the machine file has anyway is not run once more."""
    ran, runner = [], measure.Runner("", 2)
    runner.run = lambda line, seed: (ran.append(line), ({"time": (seed, "s")}, conditions.Ran(
        "mppa256", "fluid", 12, "compact", "", "", (seed,))))[1]
    lines = [variant + "mpi 12 -- km"
             for variant in ("", "LWMPI_VARIANT=baseline ", "LWMPI_VARIANT=full ")]
    told = list(runner.measure(lines, [1, 2]))
    check([line for line, _ in told] == lines and told[0][1] == told[1][1], told)
    check(sorted(ran) == [lines[2]] * 2 + [lines[0]] * 2, f"ran {ran}")
    with open(os.path.join(ROOT, sensitivity.FILE), encoding="utf-8") as file:
        check(re.search("^variant +=  *baseline\\b", file.read(), re.M), "mppa256 is no baseline")


def faults():
    with tempfile.TemporaryDirectory() as folder:
        code, said = figures(folder, folder, "--quick")
        check(code == 1 and "failed: " in said, f"no programs: {code}, {said}")
        code, said = figures(folder, folder, "--seeds", "0")
        check(code == 2 and "'0' is no number above 0" in said, f"no seeds: {code}, {said}")
        code, said = figures(folder, folder, "--sensitivity", "--only", "T42")
        check(code == 2 and "neither --seeds nor --only" in said, f"both: {code}, {said}")
        runner = measure.Runner(folder, 1)
        for body, why in (("echo hello", "instead of name,value"), ("exit 3", "ended with 3"),
                          ("true", "printed nothing")):
            program(os.path.join(folder, "bench", "program"), "#!/bin/sh\n" + body + "\n")
            try:
                runner.run("A=b program C=d", 1)
                check(False, f"'{body}' was accepted")
            except ValueError as problem:
                check(why in str(problem), f"'{body}': {problem}")


        program(os.path.join(folder, "bench", "program"), '#!/bin/sh\necho "$A $1",1,s,\n')
        told = [str(result) for _, result in runner.measure(["A=b program A=c", "A=b A=c program"],
                                                            [1])]
        check("b A=c" in told[0] and "set twice" in told[1], f"variables: {told}")
        program(os.path.join(folder, "bench", "program"),
                "#!/bin/sh\n[ $LWMPI_SEED = 1 ] || echo more,1,s,\necho x,1,s,\n")
        told = list(runner.measure(["program"], [1, 2]))
        check("seed 2: 'more' is not told" in str(told[0][1]), f"more with a seed: {told}")
    try:
        sensitivity.changed("cost.ipi = 1\n", marks()["cost.match"], "2")
        check(False, "a price that is not in the file was changed")
    except ValueError as problem:
        check("0 lines with cost.match" in str(problem), problem)


def numbers():
    mean, half = measure.interval([1, 2, 3, 4])
    check(mean == 2.5 and abs(half - 2.054) < 0.001, f"interval {mean} {half}")
    mean, half = measure.interval([-1.0, 1.0] * 20)  # 2.0227 sigma / sqrt(40), sigma^2 = 40 / 39
    check(abs(half - 2.0227 / 39 ** 0.5) < 1e-4, f"interval of 40 values: {half}")
    check(abs(measure.quantile(10) - 2.228) + abs(measure.quantile(30) - 2.042) < 1e-3, "Student")
    check(measure.interval([7]) == (7, 0), "interval of one value")
    check(measure.line([1, 2, 3], [5, 7, 9]) == (2, 3), "line through three points")
    told = [measure.most(line) for line in ("mpi 12 -- fn", "LWMPI_MODEL=ancestor mpi 12 -- fn",
                                            "LWMPI_MODEL=ancestor task_spawn.sim each")]
    check(told == [10, 3, None], f"seeds at most: {told}")


def reserved():
    """Table 5 of souto-2022, of flows that are as large as its own."""
    chart = next(each for each in souto.memory_charts() if each.file == "flows")
    sizes = {"mppa256: threads per MB": ([128.0], "flows"),
             "mppa256: tasks per MB": ([8192.0], "flows")}
    found = {souto.SPAWN: measure.Result(sizes, None)}
    for name, told in chart.published.items():
        points = [(x, value[0]) for x, value, _ in charts.points(found, chart.curves[name])]
        check(points == told and len(points) == 6, f"table 5: {name}: {points}")


if __name__ == "__main__":
    charts_python = python_with_charts(sys.argv[1])
    numbers()
    reserved()
    agreed()
    honest()
    documented()
    modelled()
    faults()
    labels()
    other_ranks()
    only(sys.argv[1])
    moves(sys.argv[1])
    concern()
    smaller()
    reused()
    swept()
    real(sys.argv[1], charts_python)
    print(f"{wrong} wrong, charts {'drawn' if charts_python else 'left out: no matplotlib'}")
    sys.exit(1 if wrong else 0)

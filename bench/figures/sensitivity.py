# SPDX-License-Identifier: MIT
"""Which rows of the table move when one price of the machine file is 20 % lower or higher. A price
runs only what it can move, and unless all are asked for only what runs on few ranks."""
import contextlib
import os
import re
import sys
import tempfile

import experiment
import measure
import progress
import published
import souto
import table
import targets
import uller

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools"))
import prices  # noqa: E402 (found by the line above)

FILE = os.path.join("machines", f"{measure.MACHINE}.machine")
PART = 0.2      # of the price
LEAST = 0.01    # a row has moved if it changed by more
SHOWN = 4       # rows in a line of the table, the ones that moved most
SEED = (1,)
# As all of it runs often, it is less than the table: of its ranks, images and passes.
RANKS, SHARE = (12, 48, 192), 6
FEW = 16    # ranks; a row of more takes as long as ten of these
BUSY = 48   # ranks; more that wait busily (docs/model.md) take as long as all the rest
WHOLE = ("cycles", "channels", "B/cycle")   # what has no parts
SHAPE = ("noc.torus_x", "noc.torus_y")  # lengths, not prices
# What programs and quantities of a row must have in them for these prices to move it.
CONCERNS = (
    (r"power\.", r"\b(energy|power)\b"),
    (r"cost\.vendor_", r"LWMPI_MODEL=\S*vendor"),
    (r"(cost|noc)\.ddr_", r"LWMPI_MODEL=\S*ddr"),
    (r"cost\.thread_search", r"LWMPI_MODEL=\S*ancestor"),
    (r"compute\.", r"LWMPI_COMPUTE=counted"),
)
HEAD = ("price", "value", "tried", "id", "part", "role", "before", "after", "change %",
        "met before", "met after")
TOLD = ("| price | mark | tried | rows moved | most | verdicts that change |",
        "|---|---|---|---|---|---|")


def tried(price):
    """Text of the values that stand for 20 % less and more: a price that is a whole number stays
    one, moves by one at least and stays above nothing."""
    value = float(price.value)
    if price.unit not in WHOLE or price.key.endswith("_milli"):
        return [f"{value * (1 - PART):g}", f"{value * (1 + PART):g}"]
    step = max(1, round(value * PART))
    return [f"{number:g}" for number in (value - step, value + step) if number > 0]


def changed(text, price, value):
    """The machine file with one other value."""
    other, times = re.subn(rf"^({re.escape(price.key)}\s*=\s*)\S+", rf"\g<1>{value}", text,
                           flags=re.M)
    if times != 1:
        raise ValueError(f"{FILE}: {times} lines with {price.key}, not one")
    return other


def on_machine(program):
    """Whether it runs on the machine of the file, rather than on bare metal or not at all."""
    return not program.startswith((experiment.BARE, souto.FOOTPRINT))


def concerned(price, rows):
    """The rows that a price can move at all."""
    of_it = [needs for keys, needs in CONCERNS if re.match(keys, price.key)]
    return [row for row in rows if any(map(on_machine, experiment.programs_of(row.value))) and
            all(re.search(needs, "; ".join(experiment.names_in(row.value))) for needs in of_it)]


def on_few(row, few=FEW, of=""):
    """Whether no program of a row, of those that begin so, runs on more ranks than that."""
    return all(int(ranks) <= few for program in experiment.programs_of(row.value)
               if program.startswith(of) for ranks in re.findall(r"\bmpi (\d+) ", program))


def lines(build, folder, rows, took):
    """The table's lines of these rows for the machine in a folder, and what failed. What took
    longest before begins first, so that no processor waits for it at the end."""
    found, failed, runner = {}, [], measure.Runner(build, os.cpu_count() or 1, folder)
    programs = sorted(published.programs(rows, []), key=lambda line: -took.get(line, 0))
    with contextlib.closing(runner.measure(programs, SEED)) as results:
        for program, result in results:
            if isinstance(result, Exception):
                failed.append(f"{program}: {result}")
            else:
                found[program] = result
    took.update(runner.took)
    return table.make(found, rows, targets.read()), failed


def moved(before, after):
    """[(line before, line after, part of change)] of what moved, the most first."""
    of_place = {(line.id, line.what): line for line in after}
    pairs = ((a, b, b.mean / a.mean - 1) for a in before
             for b in [of_place.get((a.id, a.what))] if b and a.mean and b.mean)
    return sorted((each for each in pairs if abs(each[2]) > LEAST), key=lambda e: -abs(e[2]))


def shown(line, change):
    return f"{line.id} {line.part} {100 * change:+.0f} %".strip()


def summary(price, value, moves):
    """A line of the printed table."""
    most = "; ".join(shown(a, change) for a, _, change in moves[:SHOWN]) or "none"
    flips = "; ".join(f"{a.id} {a.part}: {a.met} to {b.met}" for a, b, _ in moves
                      if a.met != b.met) or "none"
    return (f"| {price.key} = {price.value} {price.unit} | {price.kind} | {value} | {len(moves)} "
            f"| {most} | {flips} |")


def size(scale, everything):
    """What ran, in words."""
    ranks = (", ".join(map(str, scale.ranks)) + f" ranks, at most {BUSY} that wait busily"
             if everything else f"at most {FEW} ranks")
    return f"{ranks}, " + (
        "small problems" if scale.short else
        f"GF with {2 * scale.ranks[0] // SHARE} images for each cluster, "
        f"KM with {uller.PASSES // SHARE} passes")


def hang(cells):
    """On which prices verdicts hang, of what no price was chosen by."""
    of = {}
    for key, _, _, number, _, role, *_, met, after in cells:
        if met != after and role in ("prediction", "design"):
            of.setdefault(key, {})[number] = None
    told = "; ".join(f"{key} ({', '.join(ids)})" for key, ids in of.items())
    return (f"verdicts on predictions and designs hang on {len(of)} price{'s' * (len(of) != 1)}"
            f": {told or 'none'}")


def run(build, out, scale, everything=False):
    """Prints a line for each price and value tried, and writes all that moved, as it is known; the
    exit code."""
    scale = scale if scale.short else scale._replace(ranks=RANKS, share=SHARE)
    rows = [row for row in published.rows(scale)
            if (on_few(row, BUSY, experiment.ANCESTOR) if everything else on_few(row))]
    with open(os.path.join(ROOT, FILE), encoding="utf-8") as file:
        text = file.read()
    every = [price for price in prices.read(ROOT, FILE) if price.key not in SHAPE]
    todo = [(price, value) for price in every if concerned(price, rows) for value in tried(price)]
    print(f"{measure.MACHINE}, network model {measure.NETWORK}, seed {SEED[0]}, "
          f"{size(scale, everything)}")
    print("\n".join(TOLD), flush=True)
    bar, cells, took = progress.Progress(len(todo) + 1), [], {}
    before, failures = lines(build, os.path.join(ROOT, "machines"), rows, took)
    bar.step("as it is")
    for price, value in todo:
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, os.path.basename(FILE)), "w",
                      encoding="utf-8") as file:
                file.write(changed(text, price, value))
            after, failed = lines(build, folder, concerned(price, rows), took)
        failures += failed
        moves = moved(before, after)
        cells += [(price.key, price.value, value, a.id, a.part, a.role, f"{a.mean:.6g}",
                   f"{b.mean:.6g}", f"{100 * change:.2f}", a.met, b.met) for a, b, change in moves]
        table.write(out, "sensitivity", HEAD, cells)
        bar.say(summary(price, value, moves))
        bar.step(f"{price.key} = {value}")
    if cells:
        print(hang(cells))
    idle = [price.key for price in every if not concerned(price, rows)]
    print(f"{', '.join(idle) or 'none'}: can move no row that was run")
    for failure in dict.fromkeys(failures):  # most fail alike with each price
        print(f"failed: {failure}")
    return 1 if failures else 0

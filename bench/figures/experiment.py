# SPDX-License-Identifier: MIT
"""What an experiment consists of: how large it runs, the values that it gives, the rows and charts
made of them.

A value is (program, quantity); (program, quantity, program, quantity), the first divided by the
second; or Of(function, values), what the function makes of several. A program is a line that
measure.py runs as it stands; what labels say of it is what it said itself (conditions.py)."""
import os
import re
from typing import Any, Callable, NamedTuple


class Scale(NamedTuple):
    short: bool   # small problems
    ranks: tuple  # of weak scaling
    share: int = 1  # one in so many of GF's images and of KM's passes
    hpl: bool = False   # there is HPL
    bare: bool = False  # there are QEMU and a compiler for bare metal

    @property
    def most(self):
        return self.ranks[-1]


FULL = Scale(False, (12, 24, 48, 96, 192))
QUICK = Scale(True, (12, 24, 48))
HPL = "xhpl"  # of whom its sources are: bench/hpl
BARE = "instructions"  # of whom QEMU and the compiler are: bench/riscv


def scale_of(build, quick):
    """Of a run with this build."""
    hpl = os.access(os.path.join(build, "bin", HPL), os.X_OK)
    bare = os.access(os.path.join(build, "bench", BARE), os.X_OK)
    return (QUICK if quick else FULL)._replace(hpl=hpl, bare=bare)

ROLES = {
    "input": "went into the model, so it shows nothing when it agrees",
    "fit": "a price was chosen by it, so it shows nothing when it agrees",
    "prediction": "follows from the model and the programs",
    "design": "is better on purpose; a note says what differs",
}


# What a caption says of published values that a model was made with.
MADE_WITH = {"input": "went into the model", "fit": "a price was chosen by"}


class Of(NamedTuple):
    function: Callable  # of a list with one number of each value
    values: tuple


class Row(NamedTuple):
    """`part` is that of a target with this id (targets.csv), else the row is not compared."""
    id: str
    part: str
    role: str
    value: Any
    why: str = ""  # input, fit: the prices of the machine file; design: what differs


ANCESTOR = "LWMPI_MODEL=ancestor "
# Of those whose computation takes many seconds of the machine: each wait of a rank would take as
# many of this computer's minutes if it were busy.
PATIENT = "LWMPI_MODEL=ancestor-portals,ancestor-threads "
LONG = re.compile(r" fn(_ipc\.sim)? .*--published")


def of_ancestor(value):
    """The same value, of programs that run on the published system's mechanisms (docs/model.md)."""
    if isinstance(value, Of):
        return Of(value.function, tuple(of_ancestor(part) for part in value.values))
    return tuple((PATIENT if LONG.search(cell) else ANCESTOR) + cell if place % 2 == 0 else cell
                 for place, cell in enumerate(value))


def with_ancestor(rows, parts):
    """The rows, and behind each of these (id, part) the same of the ancestor."""
    for row in rows:
        yield row
        if (row.id, row.part) in parts:
            yield row._replace(part=f"{row.part}, ancestor", value=of_ancestor(row.value))


class At(NamedTuple):
    """A point of a curve."""
    x: int
    value: Any


class Lines(NamedTuple):
    """A chart. The points of a curve are (program, pattern) if the name of the quantity holds x,
    else a list of At or of values, whose x are the most ranks that ran for each. `published` has
    points of curves with the same name, which are those of `targets`, by their ids."""
    file: str
    title: str
    x: str
    y: str
    curves: dict
    published: dict = {}
    log: str = ""  # the axes that are logarithmic: "", "x", "xy"
    targets: tuple = ()


class Bars(NamedTuple):
    """A chart: {bar: {part: value}}. If the parts are of a whole, what they leave is told, too."""
    file: str
    title: str
    unit: str
    bars: dict
    whole: int = 0


def ratio(first, second, quantity):
    return first, quantity, second, quantity


def programs_of(value):
    """The programs that a value needs, or the points of a curve, or the parts of a bar."""
    if isinstance(value, Of):
        return [program for part in value.values for program in programs_of(part)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [program for part in value for program in programs_of(part)]
    return list(value[::2])


def names_in(value):
    """The programs and the quantities of a value."""
    if isinstance(value, Of):
        return [name for part in value.values for name in names_in(part)]
    return list(value)


def is_short(value):
    """Whether a smaller problem ran than the one of the experiment."""
    return any(" --quick" in program for program in programs_of(value))


def evaluate(found, value):
    """([number with each seed], unit) of a value; None if a program did not say it."""
    if isinstance(value, Of):
        parts = [evaluate(found, part) for part in value.values]
        if None in parts:
            return None
        return [value.function(list(each)) for each in zip(*(p[0] for p in parts))], parts[0][1]
    series = [found[program].values.get(quantity) if program in found else None
              for program, quantity in zip(value[::2], value[1::2])]
    if None in series:
        return None
    if len(series) == 1:
        return series[0]
    return [a / b for a, b in zip(series[0][0], series[1][0])], "ratio"

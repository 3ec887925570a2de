# SPDX-License-Identifier: MIT
"""The published values that this project is held against, from targets.csv.

agreed.csv has the 43 targets in words, as they were agreed; targets.csv takes them apart. Each of
its lines is one comparison: `compare` says it in words, `kind`, `value` and `tolerance` to the
program. A test holds these against agreed.csv. Where that asks for the
same size or shape and no number says how near, the gain (how much more than 1) must be within 15 %,
the widest tolerance that any target names."""
import csv
import math
import os
from typing import NamedTuple

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "targets.csv")
END = math.inf

# kind: (lowest and highest by value and tolerance, whether these two are allowed, how it is shown)
KINDS = {
    "within": (lambda v, t: (v * (1 - t), v * (1 + t)), True, "{0}..{1}"),
    "gain": (lambda v, t: (1 + (v - 1) * (1 - t), 1 + (v - 1) * (1 + t)), True, "{0}..{1}"),
    "points": (lambda v, t: (v - t, v + t), True, "{0}..{1}"),
    "at-least": (lambda v, _: (v, END), True, ">= {0}"),
    "at-most": (lambda v, _: (-END, v), True, "<= {1}"),
    "above": (lambda v, _: (v, END), False, "> {0}"),
    "below": (lambda v, _: (-END, v), False, "< {1}"),
}


def short(number):
    return f"{number:,.0f}" if 1000 <= abs(number) < END else f"{number:.4g}"


class Target(NamedTuple):
    id: str
    source: str
    experiment: str
    part: str
    published: str
    compare: str
    kind: str  # one of KINDS, "range" (value is low..high), or "report": nothing to miss
    value: str
    tolerance: str  # per cent

    def limits(self):
        """(lowest, highest), None for what is only reported."""
        if self.kind == "report":
            return None
        if self.kind == "range":
            return tuple(map(float, self.value.split("..")))
        return KINDS[self.kind][0](float(self.value), float(self.tolerance or 0) / 100)

    def two_sided(self):
        """Whether it may be missed by being larger as well as smaller."""
        return not set(self.limits()) & {END, -END}

    def wanted(self):
        if self.kind in ("report", "range"):
            return self.value
        low, high = self.limits()
        return short(low) if low == high else KINDS[self.kind][2].format(short(low), short(high))

    def holds(self, number):
        low, high = self.limits()
        if self.kind == "range" or KINDS[self.kind][1]:
            return low <= number <= high
        return low < number < high


def read(path=PATH):
    """[Target] in the order of the file."""
    with open(path, encoding="utf-8", newline="") as file:
        return [Target(**line) for line in csv.DictReader(file)]

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prices.py [ROOT]: every price of a machine file says where it is from. A price is a key with a
dot; behind its value stands one of

    # paper: SOURCE, PLACE       the value is in the source
    # fit: WHAT, residual N %    chosen so that WHAT comes out; it comes out N % above (+) or below
    # estimate                   nobody measured it; more words may follow after a colon
"""
import re
import sys
from typing import NamedTuple

import tree

SOURCES = ("ho-2015", "souto-2018", "uller-2020", "uller-2021", "souto-2022")
MARKS = (re.compile(rf"(paper): ((?:{'|'.join(SOURCES)}), \S.*)"),
         re.compile(r"(fit): (\S.*, residual [+-]\d+ %.*)"),
         re.compile(r"(estimate)(?:: (\S.*))?"))
LINE = re.compile(r"(\w+\.\w+)\s*=\s*([^\s#]+)\s*([^\s#]*)\s*(?:#\s*(.*?))?\s*")


class Price(NamedTuple):
    line: int
    key: str
    value: str
    unit: str
    kind: str  # paper, fit, estimate; "" for what is none of them
    mark: str  # what stands behind the kind


def price(number, line):
    """Of a line of a machine file; None if it has none."""
    found = LINE.fullmatch(line)
    if not found:
        return None
    key, value, unit, comment = found.groups()
    marked = next((hit for hit in (mark.fullmatch(comment or "") for mark in MARKS) if hit), None)
    kind, mark = marked.groups() if marked else ("", comment)
    return Price(number, key, value, unit, kind, mark or "")


def read(root, path):
    """The prices of a machine file."""
    found = (price(number, line) for number, line in enumerate(tree.lines(root, path), 1))
    return [each for each in found if each]


def check(root, path):
    return [f"{path}:{each.line}: {each.key}: \"{each.mark}\" does not say where the price is "
            f"from; right are \"paper: SOURCE, PLACE\" with a source of {', '.join(SOURCES)}, "
            "\"fit: WHAT, residual +N %\" and \"estimate\""
            for each in read(root, path) if not each.kind]


if __name__ == "__main__":
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    paths = tree.files(root, ".machine")
    tree.verdict("prices", [problem for path in paths for problem in check(root, path)],
                 f"{sum(len(read(root, path)) for path in paths)} prices are marked")

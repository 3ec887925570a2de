#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""budgets.py [ROOT]: lines per function, file, line and room README, and no #if outside hal.

The limits are in tools/budgets.json. An entry of its "exceptions" ("file" or "file:function" to a
number of lines) lets one thing be longer, but only as long as it is: it may shrink, and an entry
that is larger than needed is itself a failure. So the debt only goes down.

A function is what the committed format makes of it: a `{` and a `}` alone in column one."""
import json
import os
import re
import sys

import tree

GUARD = re.compile(r"\s*#\s*ifndef\s+\w+_H\b|\s*#\s*ifdef\s+__cplusplus")
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif)\b")
# Programs meet other compilers, MPI libraries and languages; hal meets machines.
MAY_CHOOSE = ("hal/", "apps/", "examples/")


def functions(text):
    """(name, first line, lines) of each function; the head begins after the last blank line."""
    start = None
    for number, line in enumerate(text, 1):
        if line == "{":
            head = number - 1
            while head >= 1 and re.match(r"[\w* ].*", text[head - 1]) \
                    and not re.match(r"(#|/\*|\*|\})", text[head - 1]) \
                    and not text[head - 1].endswith((";", "*/")):
                head -= 1
            start = head + 1
        elif line == "}" and start:
            called = re.search(r"(\w+)\s*\(", " ".join(text[start - 1:number]))
            yield called.group(1) if called else "?", start, number - start + 1
            start = None


class Budget:
    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "tools", "budgets.json"), encoding="utf-8") as limits:
            self.limits = json.load(limits)
        self.debts = dict(self.limits["exceptions"])
        self.problems = []

    def hold(self, where, key, size, limit, what):
        """One measured size against its limit, or against the debt recorded for key."""
        debt = self.debts.pop(key, None) if size > limit or key in self.debts else None
        if debt is None and size > limit:
            self.problems.append(f"{where}: {what} has {size} lines; the limit is {limit}")
        elif debt is not None and size > debt:
            self.problems.append(f"{where}: {what} grew from {debt} to {size} lines")
        elif debt is not None and size < debt:
            self.problems.append(f"tools/budgets.json: {key} is down to {size}; "
                                 + ("remove the entry" if size <= limit else "lower the entry"))

    def file(self, path):
        text = tree.lines(self.root, path)
        self.hold(path, path, len(text) - 1, self.limits["file_max"], "the file")
        for number, line in enumerate(text, 1):
            if len(line) > self.limits["line_max"]:
                self.problems.append(f"{path}:{number}: {len(line)} columns; "
                                     f"the limit is {self.limits['line_max']}")
            if path.endswith((".c", ".h")) and CONDITION.match(line) and not GUARD.match(line) \
                    and not path.startswith(MAY_CHOOSE):
                self.problems.append(f"{path}:{number}: #if outside hal; choose by data instead")
        if not path.endswith((".c", ".h")):
            return []
        sizes = []
        for name, first, size in functions(text):
            sizes.append(size)
            self.hold(f"{path}:{first}", f"{path}:{name}", size, self.limits["function_max"],
                      f"function {name}")
        return sizes

    def readme(self, room):
        path = os.path.join(room, "README.md")
        if not os.path.isfile(os.path.join(self.root, path)):
            self.problems.append(f"{path}: every room has one: purpose, what it may use, objects, "
                                 "invariants, how to test")
        else:
            self.hold(path, path, len(tree.lines(self.root, path)) - 1, self.limits["readme_max"],
                      "the file")

    def run(self):
        for room in tree.rooms(self.root):
            self.readme(room)
        sizes = sorted(s for path in tree.files(self.root, ".c", ".h", ".S", ".py", ".sh", "lwmpi")
                       if path not in self.limits["generated"] for s in self.file(path))
        p95 = sizes[int(len(sizes) * 0.95)] if sizes else 0
        if p95 > self.limits["function_p95"]:
            self.problems.append(f"95 % of the functions have up to {p95} lines; "
                                 f"the limit is {self.limits['function_p95']}")
        for key in self.debts:
            self.problems.append(f"tools/budgets.json: {key} does not exist; remove the entry")
        middle = sizes[len(sizes) // 2] if sizes else 0
        tree.verdict("budgets", self.problems,
                     f"{len(sizes)} functions, lines: median {middle}, p95 {p95}, "
                     f"max {sizes[-1] if sizes else 0}")


if __name__ == "__main__":
    Budget(sys.argv[1] if len(sys.argv) > 1 else ".").run()

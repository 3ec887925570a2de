#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py [ROOT]: all C files are as clang-format with .clang-format leaves them, and conditions
ask of a pointer `p` or `!p`; `p != NULL` is a value.

Other versions of clang-format break lines elsewhere, so only the version below is believed."""
import re
import subprocess
import sys

import tree

VERSION = 14


def find():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        try:
            out = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        except FileNotFoundError:
            continue
        if re.search(rf"version {VERSION}\.", out):
            return name
    return None


# What is no code, then what compares with NULL where a condition is wanted.
ASIDE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.S)
COMPARED = re.compile(r"== NULL\b|(?:\b(?:if|while) \(|(?:&&|\|\|) )[\w.>\[\]-]+ != NULL\b"
                      r"|!= NULL (?:&&|\|\||\?)")


def compared(root, path):
    """Lines with such a comparison."""
    code = ASIDE.sub(lambda m: "\n" * m.group().count("\n"), "\n".join(tree.lines(root, path)))
    return [code.count("\n", 0, m.start()) + 1 for m in COMPARED.finditer(code)]


if __name__ == "__main__":
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    tool = find()
    if not tool:
        sys.exit(f"format: there is no clang-format {VERSION}; ./lwmpi test installs it")
    paths = tree.files(root, ".c", ".h")
    run = subprocess.run([tool, "--dry-run", "-ferror-limit=1", *paths], cwd=root,
                         capture_output=True, text=True)
    bad = sorted(set(re.findall(r"^(\S+:\d+):\d+: (?:warning|error)", run.stderr, re.M)))
    first = {}
    for place in bad:
        first.setdefault(place.split(":")[0], place)
    tree.verdict("format", [f"{place}: not formatted; run {tool} -i on it"
                            for place in first.values()] +
                 [f"{path}:{line}: a condition asks `p` or `!p`, without NULL"
                  for path in paths for line in compared(root, path)],
                 f"{len(paths)} files are formatted")

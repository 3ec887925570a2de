#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""text.py [ROOT]: licence line, encoding, blanks, words and links of every text file."""
import os
import re
import sys

import tree

LICENSED = (".c", ".h", ".S", ".def", ".py", ".sh", ".cmake", "CMakeLists.txt", ".ld", ".machine",
            ".in")
BINARY = (".png", ".ppm", ".pgm", ".gz", ".bin")
SPDX = "SPDX-License-Identifier: MIT"
# A repository must mean the same on every machine and to every reader.
WORDS = ((re.compile(r"(?<![\w.}~])/(home|root|work|Users|mnt)/"), "path of one machine"),
         (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b"), "unfinished work"),
         (re.compile(r"^(<{7}|>{7}) "), "conflict marker"))

LINK = re.compile(r"\]\(([^)#:]+)(#[^)]*)?\)")


def dead_links(root, path, number, line):
    folder = os.path.dirname(os.path.join(root, path))
    return [f"{path}:{number}: links to {found.group(1)}, which does not exist"
            for found in LINK.finditer(line)
            if not os.path.exists(os.path.join(folder, found.group(1)))]


def check(root, path):
    with open(os.path.join(root, path), "rb") as raw:
        data = raw.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"{path}: not UTF-8 at byte {error.start}"]
    problems = []
    if path.endswith(LICENSED) and SPDX not in "\n".join(text.split("\n")[:2]):
        problems.append(f"{path}:1: the first line must say {SPDX}")
    if data and not data.endswith(b"\n"):
        problems.append(f"{path}: the last line has no end")
    for number, line in enumerate(text.split("\n"), 1):
        if line.endswith((" ", "\t", "\r")):
            problems.append(f"{path}:{number}: blank at the end of the line")
        if "\t" in line and path.endswith((".c", ".h", ".py", ".def", ".cmake")):
            problems.append(f"{path}:{number}: tab; indent with blanks")
        if path.endswith(".md"):
            problems += dead_links(root, path, number, line)
        for pattern, why in WORDS:
            if pattern.search(line):
                problems.append(f"{path}:{number}: {why}: {pattern.search(line).group(0)}")
    return problems


if __name__ == "__main__":
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    paths = [path for path in tree.files(root) if not path.endswith(BINARY)]
    tree.verdict("text", [p for path in paths for p in check(root, path)],
                 f"{len(paths)} files are clean")

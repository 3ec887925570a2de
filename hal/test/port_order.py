#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""port_order.py NM IMAGES: the steps of docs/porting.md can be taken in their order. A contract
test, linked with the template, holds no function that is still to be written in a file of a later
step (IMAGES: the folder of hal_*_test.elf, linked without what nobody calls); and each header has
its step."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(1, os.path.join(ROOT, "tools"))

from port_check import steps


def to_write():
    """File of the template by function that is still to be written."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "hal", "template", "*.c")):
        with open(path, encoding="utf-8") as file:
            for name in re.findall(r"\b(\w+)\([^;{]*\)\n\{\n    MISSING\(\);", file.read()):
                found[name] = os.path.basename(path)
    return found


def held(nm, image):
    lines = subprocess.run([nm, "--defined-only", image], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def main(nm, images):
    missing, done, tried, problems = to_write(), set(), set(), []
    for number, (what, files, tests) in enumerate(steps(), 1):
        done.update(files)
        for test in tests:
            tried.add(test)
            for name in sorted(held(nm, os.path.join(images, f"hal_{test}_test.elf"))):
                if missing.get(name, files[0]) not in done:
                    problems.append(f"step {number}, {what}: {test} needs {name} of "
                                    f"{missing[name]}, which a later step writes")
    made = {os.path.basename(path)[4:-9] for path in glob.glob(os.path.join(images, "*_test.elf"))}
    problems += [f"{test}: proves no step" for test in sorted(made - tried)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"steps: {len(steps())}, tests: {len(tried)}, functions to write: {len(missing)}")
    return 1 if problems or not missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

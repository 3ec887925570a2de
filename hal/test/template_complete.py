#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""template_complete.py NM HEADERS TEMPLATE PORT...: the template defines exactly the contract.

The contract is what the headers declare (those in HOSTED are of some ports alone) and the
libraries of a complete port define."""
import glob
import os
import re
import subprocess
import sys

OWN = {"hal_template_missing"}  # not of the contract
HOSTED = ("hosted.h", "job.h", "site.h", "stand.h", "ticks.h", "virt.h")


def defined(nm, library):
    lines = subprocess.run([nm, "--defined-only", "--extern-only", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "TDBRW"}


def declared(headers):
    names = set()
    for path in glob.glob(os.path.join(headers, "*.h")):
        if os.path.basename(path) in HOSTED:
            continue
        with open(path, encoding="utf-8") as header:
            text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
        names |= set(re.findall(r"^(?!static|typedef)\w[\w _*]*?\b(hal_\w+)\(", text, flags=re.M))
        names |= set(re.findall(r"^extern\b[\w *]*?\b(hal_\w+)\s*(?:;|__attribute__)", text,
                                flags=re.M))
    return names


def main(nm, headers, template, *port):
    contract = declared(headers)
    complete = set().union(*(defined(nm, library) for library in port))
    has = {name for name in defined(nm, template) if name.startswith("hal_")} - OWN
    problems = [f"{name}: declared, but not in {' '.join(port)}" for name in contract - complete]
    problems += [f"{name}: missing in {template}" for name in contract - has]
    problems += [f"{name}: in {template}, but not declared" for name in has - contract]
    if not contract:
        problems.append(f"{headers}: no declaration found")
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    print(f"template: {len(contract)} functions and variables of the contract")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

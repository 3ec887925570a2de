#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""static_size.py PROGRAM MAP: what each room takes in a static program, from the linker's map.
Fails if the MPI library (libmpi and mpiutil) takes more than its budget. Data is all that is not
instructions: constants, tables, variables. Per further rank: the test mpiutil_size."""
import collections
import re
import subprocess
import sys

BUDGET = {"code": 64 * 1024, "data": 32 * 1024}
LIBRARY = ("libmpi", "mpiutil")
TOGETHER = "libmpi+mpiutil"  # where the linker optimized them, as one
SECTION = re.compile(r"^ (\.\S+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) "
                     r"(?:\S*?lib(?:lw_)?(\w+?)(?:_small)?\.a\(|\S*\.ltrans\.o$)")
KIND = re.compile(r"\.(?:(text)|rodata|data|bss|tdata|tbss)")


def rooms(lines):
    """{room: {"code": bytes, "data": bytes}}; long names of sections stand on a line before."""
    found, name = collections.defaultdict(collections.Counter), None
    for line in lines:
        alone = re.match(r"^ (\.\S+)$", line)
        if alone:
            name = alone[1]
            continue
        m = SECTION.match(line)
        kind = m and KIND.match(m[1] or name or "")
        if kind and int(m[2], 16):  # what was left out has no address
            found[m[4] or TOGETHER]["code" if kind[1] else "data"] += int(m[3], 16)
        name = None
    return found


def main():
    program, path = sys.argv[1:3]
    print(subprocess.run(["size", program], capture_output=True, text=True, check=True).stdout)
    with open(path) as f:
        text = f.read()
    found = rooms(text[text.index("Linker script and memory map"):].splitlines())
    print(f"{'room':16}{'code':>8}{'data':>8}")
    for room in sorted(found):
        print(f"{room:16}{found[room]['code']:8}{found[room]['data']:8}")
    library = [TOGETHER] if found[TOGETHER]["code"] else LIBRARY
    if not all(found[room]["code"] for room in library):
        sys.exit(f"static_size.py: {path} names no code of {' and '.join(LIBRARY)}")
    over = False
    for kind, most in BUDGET.items():
        sum_ = sum(found[room][kind] for room in library)
        print(f"the MPI library: {sum_} bytes of {kind}, {most} allowed")
        over |= sum_ > most
    sys.exit(over)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cage.py BIN IMAGE: a rank in user mode is stopped at each thing that it may not touch, and the
job ends with 139 and a line that says who, where, and why. The image is that of cage.c."""
import os
import re
import subprocess
import sys

MPIEXEC = os.path.join(sys.argv[1], "mpiexec")
IMAGE = sys.argv[2]
STATUS = 139
# Kind: what the line says, its cause, its address (None: it depends on the image).
KINDS = {
    "other-load": ("load where it may not", 5, 0x81201000),
    "other-store": ("store where it may not", 7, 0x813ffff8),
    "kernel-load": ("load where it may not", 5, 0x81000000),
    "kernel-store": ("store where it may not", 7, 0x81000000),
    "kernel-jump": ("jump to where it may not", 1, 0x81000000),
    "text-store": ("store where it may not", 7, None),
    "network": ("store where it may not", 7, 0x80c00000),
    "interrupts": ("store where it may not", 7, 0x02000000),
    "serial": ("store where it may not", 7, 0x10000000),
    "finisher": ("store where it may not", 7, 0x00100000),
    "description": ("store where it may not", 7, 0x80800000),
    "null": ("store where it may not", 7, 0),
    "stack": ("stack overflow", 7, None),
    "privileged": ("illegal instruction", 2, None),
}
LINE = re.compile(r"cluster 0 core (\d+): thread \d+ 'rank 1' in user mode: (.*): cause (\d+), "
                  r"pc 0x([0-9a-f]+), address 0x([0-9a-f]+), stack pointer 0x[0-9a-f]+, "
                  r"hart (\d+)")


def run(kind):
    words = [MPIEXEC, "--machine", "riscv", "-n", "4", "--timeout", "60", IMAGE, kind]
    return subprocess.run(words, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, check=False)


def wrong(kind, what, cause, address):
    """What is wrong with how a rank of this kind ends, or None."""
    r = run(kind)
    found = LINE.search(r.stdout + r.stderr)
    if r.returncode != STATUS or found is None:
        return f"status {r.returncode} instead of {STATUS}, or no line: {r.stdout}{r.stderr}"
    core, said, number, pc, at, hart = found.groups()
    seen = (said, int(number), int(at, 16) if address is not None else None)
    if seen != (what, cause, address) or core != hart:
        return f"{found.group(0)}; instead of {what}, cause {cause}, address {address}"
    if kind != "kernel-jump" and not 0x81000000 < int(pc, 16) < 0x81200000:
        return f"pc 0x{pc} is not in cluster 0"
    return None


def main():
    problems = [f"{kind}: {why}" for kind, how in KINDS.items() if (why := wrong(kind, *how))]
    r = run("nothing")
    if r.returncode != 0 or r.stdout + r.stderr:
        problems.append(f"nothing: {r.returncode} {r.stdout}{r.stderr}")
    print(*problems, sep="\n", file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())

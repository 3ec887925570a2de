#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cage.py BIN IMAGE SYSTEM: a rank in user mode is stopped at each thing that it may not touch, and
the job ends with 139 and a line that says who, where, in which function, and why; so is one that
runs with the kernel's rights (SYSTEM) at what nobody may. What it may does no harm. Both images are
of cage.c."""
import os
import re
import subprocess
import sys

MPIEXEC = os.path.join(sys.argv[1], "mpiexec")
IMAGE, SYSTEM = sys.argv[2:4]
STATUS = 139
with open(IMAGE + ".elf", "rb") as elf:
    TOP = 1 << (64 if elf.read(5)[4] == 2 else 32)
# Kind: what the line says, its cause, its address (None: it depends on the image), its function
# (None: there is none).
KINDS = {
    "other-load": ("load where it may not", 5, 0x81201000, "load"),
    "other-store": ("store where it may not", 7, 0x813ffff8, "store"),
    "kernel-load": ("load where it may not", 5, 0x81000000, "load"),
    "kernel-store": ("store where it may not", 7, 0x81000000, "store"),
    "kernel-jump": ("jump to where it may not", 1, 0x81000000, "rv_reset"),
    "text-store": ("store where it may not", 7, None, "store"),
    "network": ("store where it may not", 7, 0x80c00000, "store"),
    "interrupts": ("store where it may not", 7, 0x02000000, "store"),
    "serial": ("store where it may not", 7, 0x10000000, "store"),
    "finisher": ("store where it may not", 7, 0x00100000, "store"),
    "description": ("store where it may not", 7, 0x80800000, "store"),
    "null": ("store where it may not", 7, 0, "store"),
    "stack": ("stack overflow", 7, None, "deeper"),
    "privileged": ("illegal instruction", 2, None, "privileged"),
    "cage-off": ("illegal instruction", 2, None, "cage_off"),
    "wfi": ("illegal instruction", 2, None, "wfi"),
    "mret": ("illegal instruction", 2, None, "mret"),
    "sret": ("illegal instruction", 2, None, "sret"),
    "breakpoint": ("breakpoint", 3, None, "breakpoint"),
    "atomic": (None, None, 0x81201000, "atomic"),  # a load for QEMU 7.2, for others a store
    "reserve": ("load where it may not", 5, 0x81201000, "reserve"),
    "across-load": ("load where it may not", 5, 0x811ffffd, "load"),
    "across-store": ("store where it may not", 7, 0x811ffffd, "store"),
    "stack-jump": ("jump to where it may not", 1, None, None),
    "heap-jump": ("jump to where it may not", 1, None, None),
    "null-jump": ("jump to where it may not", 1, 0, None),
    "far-jump": ("jump to where it may not", 1, TOP - 16, None),
}
ALLOWED = ("nothing", "fence", "rounding", "ask")
OF_ALL = ("null", "stack")  # kinds that nobody may
FAULT = (r"(.*): cause (\d+), pc 0x([0-9a-f]+), address 0x([0-9a-f]+), stack pointer 0x[0-9a-f]+, "
         r"hart (\d+)(?:, in (\w+)[.\w]*\+0x[0-9a-f]+( \(cage.c:\d+\) of rank 1|)|)$")
CORE = r"^cluster 0 core (\d+): "
LINE = {IMAGE: re.compile(CORE + r"thread \d+ 'rank 1' in user mode: " + FAULT, re.M),
        SYSTEM: re.compile(CORE + FAULT, re.M)}


def run(image, kind):
    words = [MPIEXEC, "--machine", "riscv", "-n", "4", "--timeout", "60", image, kind]
    return subprocess.run(words, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, check=False)


def wrong(image, kind, what, cause, address, function):
    """What is wrong with how a rank of this kind ends, or None."""
    r = run(image, kind)
    found = LINE[image].search(r.stdout + r.stderr)
    if r.returncode != STATUS or found is None:
        return f"status {r.returncode} instead of {STATUS}, or no line: {r.stdout}{r.stderr}"
    core, said, number, pc, at, hart, name, place = found.groups()
    seen = (said if what else None, int(number) if cause else None,
            int(at, 16) if address is not None else None)
    if seen != (what, cause, address) or core != hart:
        return f"{found.group(0)}; instead of {what}, cause {cause}, address {address}"
    if name != function or (place in ("", None)) != (function in (None, "rv_reset")):
        return f"{found.group(0)}; instead of {function}"
    if not kind.endswith("-jump") and not 0x81000000 < int(pc, 16) < 0x81200000:
        return f"pc 0x{pc} is not in cluster 0"
    return None


def main():
    problems = [f"{kind}: {why}" for image, kinds in ((IMAGE, KINDS), (SYSTEM, OF_ALL))
                for kind in kinds if (why := wrong(image, kind, *KINDS[kind]))]
    for kind in ALLOWED:
        r = run(IMAGE, kind)
        if r.returncode != 0 or r.stdout + r.stderr != ("" if kind == "nothing" else
                                                        f"not stopped: {kind}\n"):
            problems.append(f"{kind}: {r.returncode} {r.stdout}{r.stderr}")
    print(*problems, sep="\n", file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())

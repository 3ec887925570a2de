#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""budget.py BIN NM WIDTH IMAGE...: what the system takes of a cluster of sixteen ranks, for each of
these programs, of processors of 64 or 32 bits: a table, and an error if it is more than its budget
(docs/riscv.md, Sizes). The image has its symbols beside it. Options of the programs are what makes
them short."""
import collections
import os
import re
import subprocess
import sys

BIN, NM, WIDTH = sys.argv[1:4]
KB = 1024
ROOM = re.compile(r"/(kernel|services|sys|mpiutil|libmpi|hal|base|images)/[^ ]*$")
# In KB. Resident is what is there for the system alone, before and beside what programs ask of it;
# the kernel's pools are as large as the machine file says.
BUDGET = {"text of kernel, services, MPI": 128, "text of hal, base": 16,
          "resident without pools": {"64": 205, "32": 217}[WIDTH],
          "resident": {"64": 249, "32": 253}[WIDTH]}
# With ranks in user mode, as much as it has now; it shall have AIM, which is missed on RV32.
USER = {"text of kernel, services, MPI": {"64": 120.5, "32": 125.7}[WIDTH],
        "text of hal, base": {"64": 16.2, "32": 17.1}[WIDTH],
        "resident without pools": {"64": 212, "32": 232}[WIDTH],
        "resident": {"64": 256, "32": 268}[WIDTH]}
AIM = 256


def text_of(image):
    """Bytes of functions by room, from the symbols and the lines of the source."""
    shown = subprocess.run([NM, "-S", "-l", image + ".elf"], capture_output=True, text=True,
                           check=True).stdout
    sizes = collections.Counter()
    for line in shown.splitlines():
        words = line.split()
        where = ROOM.search(line)
        if len(words) > 4 and words[2] in "tTwW":
            sizes[where.group(1) if where else "others"] += int(words[1], 16)
    return sizes


def rows_of(image):
    """What mpiexec --stats says of the memory of a cluster, in KB."""
    r = subprocess.run([os.path.join(BIN, "mpiexec"), "--machine", "riscv-256", "-n", "16",
                        "--stats", image, "--quick"], capture_output=True, text=True, timeout=140,
                       stdin=subprocess.DEVNULL, check=False)
    if r.returncode != 0:
        sys.exit(f"{image} ended with {r.returncode}\n{r.stdout}{r.stderr}")
    return {m.group(1): int(m.group(2))
            for m in re.finditer(r"^lwmpi:   (.*?) +(\d+) KB", r.stderr, re.M)}


def measure(image):
    text, rows = text_of(image), rows_of(image)
    upper = sum(text[room] for room in ("kernel", "services", "sys", "mpiutil", "libmpi"))
    resident = sum(rows[row] for row in ("text, constants", "variables", "cores",
                                         "system's stacks"))
    return {"text of kernel, services, MPI": upper / KB,
            "text of hal, base": (text["hal"] + text["base"]) / KB,
            "resident without pools": resident,
            "resident": resident + rows["kernel's pools"]}


failed = False
for program in sys.argv[4:]:
    budget = BUDGET if program.endswith(".machine.img") else USER
    for what, kb in measure(program).items():
        good = 0 < kb <= budget[what]
        failed = failed or not good
        missed = f"; aim {AIM}, missed" if what == "resident" and kb > AIM else ""
        print(f"{os.path.basename(program):14} {what:30} {kb:6.1f} of {budget[what]} KB"
              f"{'' if good else ': FAILED'}{missed}")
sys.exit(failed)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""symbols.py ROOT ROOM=LIBRARY...: what each room's library asks of others, exports and keeps.

A room may ask for names of the rooms that rooms.txt allows it (so nothing above hal reaches an
operating system or a C library), may export only names with its own prefix, and may own no
writable data (law 1: the state of a cluster hangs off one struct). What lets ranks run when a
program calls it may not be called by a port of an operating system (ROOM is port), which means its
own thread."""
import os
import re
import subprocess
import sys

import tree

PREFIX = {"base": ("b_",), "hal": ("hal_",), "kernel": ("kern_",), "sys": ("k_",),
          "services": ("svc_",), "mpiutil": ("mpu_",), "libmpi": ("mpi_", "MPI_", "PMPI_", "MPIX_")}
# Beyond PREFIX: the kernel is what answers the k_ calls, the hal reports failed assertions.
EXPORTS = {"kernel": ("kern_", "k_"), "hal": ("hal_", "b_assert_failed", "b_here")}
# By which a core finds that struct: what else a port keeps for all has no place above it.
HERE = {"hal": ("hal_here_core", "hal_here_local", "hal_here_clock", "b_here")}
# What base/mem.h declares and what a compiler calls by itself: numbers too wide for the processor
# (__addtf3), which vectors the processor has, checks, sections.
COMPILER = re.compile(r"__cpu_(model|indicator_init)$|"
                      r"mem(cpy|set|move|cmp)$|str(len|cmp)$|__[a-z]+[a-z]f[a-z]*[0-9]$|"
                      r"_GLOBAL_OFFSET_TABLE_$|__stack_chk_fail|"
                      r"__(asan|tsan|ubsan|sanitizer)_|__start_|__stop_")
# process/ has these for programs.
RANKS = re.compile(r"(clock_)?(nano|u)?sleep$|sched_yield$|(pthread|thrd)_yield$|thrd_sleep$")


def symbols(library):
    """(object, name, section) of every symbol; section '*UND*' for the undefined ones. Objects that
    a linker may optimize together are read as those that it takes as they are: no plug-in tells nm
    what their other half has, and names of its debugging information are left out."""
    out = subprocess.run(["nm", "--plugin", os.devnull, "-A", "--format=sysv", library],
                         capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and not cells[6].startswith((".gnu.debuglto", ".gnu.lto")):
            place, name = cells[0].rsplit(":", 1)
            yield place.split(":")[-1], name, cells[2], cells[6], cells[3]


def check_port(library):
    return [f"{place} calls {name}, in which ranks run; make the system call"
            for place, name, _, section, _ in symbols(library)
            if section == "*UND*" and RANKS.match(name)]


def check(room, library, rooms):
    problems, defined, wanted = [], set(), {}
    allowed = tuple(p for other in [room] + rooms[room] for p in PREFIX.get(other, ()))
    exports = EXPORTS.get(room, PREFIX[room])
    for place, name, kind, section, type_ in symbols(library):
        if section == "*UND*":
            wanted.setdefault(name, place)
            continue
        defined.add(name)
        if kind.isupper() and not name.startswith(exports) and not COMPILER.match(name):
            problems.append(f"{room}: {place} exports {name}; make it static or begin it with "
                            f"{' or '.join(exports)}")
        writable = re.match(r"\.(data|bss|tdata|tbss)(\.|$)|\*COM\*", section)
        if writable and not section.startswith(".data.rel.ro") and type_ in ("OBJECT", "TLS") \
                and not COMPILER.match(name) and name not in HERE.get(room, ()):
            problems.append(f"{room}: {place} keeps writable {name} in {section}; "
                            "state belongs into struct cluster")
    for name, place in sorted(wanted.items()):
        if name not in defined and not name.startswith(allowed) and not COMPILER.match(name):
            problems.append(f"{room}: {place} calls {name}; allowed are {' '.join(allowed)} mem*")
    return problems


if __name__ == "__main__":
    rooms = tree.rooms(sys.argv[1])
    problems = []
    for pair in sys.argv[2:]:
        room, library = pair.split("=", 1)
        problems += check_port(library) if room == "port" else check(room, library, rooms)
    tree.verdict("symbols", problems, f"{len(sys.argv) - 2} libraries ask only for what they may")

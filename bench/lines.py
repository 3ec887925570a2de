#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What short collectives of one process per core would take on computers larger than this one: a
model, no measurement there. Of this computer it measures what a message and a meeting cost beside
the way of a cache line between two cores; of the others it takes what others measured for that
way (github.com/nviennot/core-to-core-latency, README: medians, one way). A rank goes on when the
lines that it waits for have come, by the distance of the cores; nothing is in the way of anything
else."""
import argparse
import collections
import os
import re
import statistics
import subprocess
import sys

import commands

# Cores lie side by side in groups that share a cache, groups in sockets; ns of a line one way
# within a group, a socket, and between sockets. The last one is made up: larger sockets with the
# lines of the second.
Computer = collections.namedtuple("Computer", "name cores group socket near mid far")
COMPUTERS = [
    Computer("2 Xeon 8375C of 32 cores", 64, 32, 32, 51, 51, 108),
    Computer("EPYC 7R13, 8 groups of 8", 64, 8, 64, 23, 107, 107),
    Computer("2 x 128 cores, lines as 2 EPYC 7R13", 256, 8, 128, 23, 107, 197),
]
EACH = 8  # leaders that close a meeting each for itself: MPU_TUNE_SEGMENT_EACH

# ns on this computer: a line; what a round of messages, and a meeting, take beside it; another line
# behind one.
Here = collections.namedtuple("Here", "line message meeting further")


def line(c, a, b):
    if a // c.group == b // c.group:
        return c.near
    return c.mid if a // c.socket == b // c.socket else c.far


def dissemination(here, c, ranks):
    """When the last of these cores leaves a barrier by messages: ns."""
    n, step = len(ranks), 1
    now = [0.0] * n
    while step < n:
        now = [max(now[i], now[i - step] + line(c, ranks[i - step], ranks[i])) + here.message
               for i in range(n)]
        step *= 2
    return max(now)


def meeting(here, c, ranks):
    """When the last leaves a meeting that each closes for itself, reading the slots of all."""
    farthest = max(line(c, ranks[0], other) for other in ranks)
    return here.meeting + farthest + here.further * max(0, len(ranks) - 2)


def tree(here, c, ranks):
    """When a broadcast has come to the last, by a binomial tree; half a message's cost is its
    sender's."""
    known, step = {0: 0.0}, 1
    while step < len(ranks):
        step *= 2
    while step > 1:
        step //= 2
        for i in sorted(known):
            if i + step < len(ranks):
                known[i + step] = known[i] + here.message + line(c, ranks[i], ranks[i + step])
                known[i] += here.message / 2
    return max(known.values())


def domains(c):
    return [range(first, min(first + c.group, c.cores)) for first in range(0, c.cores, c.group)]


def ways(here, c):
    """Yields (what, ns)."""
    all_, parts = range(c.cores), domains(c)
    firsts = [part[0] for part in parts]
    small = len(all_) <= EACH
    yield "barrier as it is", (meeting if small else dissemination)(here, c, all_)
    yield "all in one segment", meeting(here, c, all_)
    yield "a segment per group, then of those", (meeting(here, c, parts[0]) +
                                                 meeting(here, c, firsts))
    yield "broadcast as it is", tree(here, c, all_)
    yield "tree of groups, then a segment", tree(here, c, firsts) + here.meeting + c.near


def run(build, variables, program, *arguments):
    """The rows of the table that a program prints."""
    done = subprocess.run([f"{build}/bin/mpiexec", "-n", "2", f"{build}/bin/{program}", *arguments],
                          text=True, env={**os.environ, **variables}, capture_output=True)
    rows = [[float(word) for word in row.split()] for row in done.stdout.splitlines()
            if re.match(r"\d", row)]
    if done.returncode or not rows:
        said = (done.stderr or done.stdout).strip()[-300:]
        sys.exit(f"lines: {program} ended with {done.returncode} and without a table: {said}")
    return rows


def measure(build, turns):
    taken = collections.defaultdict(list)
    for turn in range(turns):
        print(f"lines: turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
        beside = {int(row[0]): row for row in run(build, {}, "osu_beside", "-m", "8:2048")}
        one = 1000 * beside[8][2]
        taken["line"].append(one)
        taken["further"].append(1000 * (beside[2048][1] - beside[512][1]) / ((2048 - 512) / 64))
        for name, each in (("message", "0"), ("meeting", "2")):
            rows = run(build, {"LWMPI_SEGMENT_EACH": each}, "osu_coll", "barrier", "-r")
            taken[name].append(1000 * rows[0][1] - one)
    return Here(**{name: statistics.median(all_) for name, all_ in taken.items()})


def main():
    parser = argparse.ArgumentParser(prog="lwmpi bench lines", description=__doc__)
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("--turns", metavar="N", type=commands.positive(int), default=5,
                        help="how often this computer is measured (5)")
    given = parser.parse_args()
    here = measure(given.build, given.turns)
    print(f"Measured here, ns: a line one way {here.line:.0f}; beside it a round of messages takes "
          f"{here.message:.0f}, a meeting {here.meeting:.0f}; a further line {here.further:.0f}")
    print("Modelled, us:")
    for c in COMPUTERS:
        print(f"  {c.cores} cores, {c.name}; a line {c.near}, {c.mid}, {c.far} ns")
        for what, ns in ways(here, c):
            print(f"    {what:36} {ns / 1000:6.2f}")
    return 0


if __name__ == "__main__":
    commands.run(main)

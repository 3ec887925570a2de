#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an event of the machine in virtual time costs this computer, by the number of ranks: KM on
mppa16k, once with one pass over its points and once with twenty, so that the start of the ranks
can be taken from the passes. The least of several turns each; the target of docs/sim.md is a cost
with the most ranks of at most twice that with the fewest."""
import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import commands

RANKS = (192, 960, 3840, 16384)
PASSES = (1, 20)
TARGET = 2
TURNS_MOST = 25  # of the fewest ranks, whose passes take some hundredths of a second
TOO_SHORT = 0.01  # seconds of passes that say nothing, as the system counts its time in ticks


def run(command, said):
    """(exit code, what it used)."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said) as child:
        try:
            _, status, used = os.wait4(child.pid, 0)
        except BaseException:
            child.terminate()
            raise
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used


class Run:
    """Seconds of user and system, wall time, memory and events of one run."""

    def __init__(self, build, ranks, passes):
        command = [os.path.join(build, "bin", "mpiexec"), "-n", str(ranks), "--machine", "mppa16k",
                   "--compute", "none", "--stats", os.path.join(build, "bin", "km"), "--quick",
                   "--iterations", str(passes)]
        with tempfile.TemporaryFile("w+") as said:
            begin = time.monotonic()
            code, used = run(command, said)
            self.wall = time.monotonic() - begin
            said.seek(0)
            text = said.read()
        found = re.search(r" (\d+) events$", text, flags=re.M)
        if code or not found:
            sys.exit(f"lwmpi bench events: {' '.join(command)}: exit code {code}: "
                     f"{text.strip()[-300:]}")
        self.user, self.system = used.ru_utime, used.ru_stime
        self.memory = used.ru_maxrss * 1024
        self.events = int(found.group(1))


def least(build, ranks, turns):
    """The runs with the least user time, of few and of many passes, made in turns."""
    best = {}
    for _ in range(turns):
        for passes in PASSES:
            run = Run(build, ranks, passes)
            if passes not in best or run.user < best[passes].user:
                best[passes] = run
    return [best[passes] for passes in PASSES]


def measure(build, ranks, turns):
    few, many = least(build, ranks, turns)
    seconds = many.user - few.user
    each = 1e6 * seconds / (many.events - few.events) if seconds > TOO_SHORT else math.nan
    return {"ranks": ranks, "turns": turns, "events": many.events, "wall_s": round(many.wall, 2),
            "user_s": round(many.user, 2), "system_s": round(many.system, 2),
            "us_per_event": round(1e6 * many.user / many.events, 3),
            "us_per_event_of_passes": round(each, 3),
            "memory_GB": round(many.memory / 1e9, 2)}


def judge(name, first, last):
    ratio = last[name] / first[name]
    verdict = "not measured" if math.isnan(ratio) else "met" if ratio <= TARGET else "missed"
    print(f"{name}: {ratio:.2f} times with {last['ranks']} ranks what it is with "
          f"{first['ranks']}: {verdict} (<= {TARGET})")


def main():
    parser = argparse.ArgumentParser(prog="lwmpi bench events", description=__doc__)
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("--ranks", type=commands.positive(int), nargs="+", default=RANKS,
                        help="numbers of ranks, at most 16384 each")
    parser.add_argument("--turns", type=commands.positive(int), metavar="N",
                        help="of each number of ranks; default: more of fewer ranks, "
                             f"{TURNS_MOST} at most")
    options = parser.parse_args()
    rows = []
    for ranks in sorted(options.ranks):
        turns = options.turns or max(1, min(TURNS_MOST, 3 * max(RANKS) // (8 * ranks)))
        rows.append(measure(options.build, ranks, turns))
        if len(rows) == 1:
            print(" ".join(f"{name:>12}" for name in rows[0]))
        print(" ".join(f"{value:>{max(12, len(name))}}" for name, value in rows[-1].items()),
              flush=True)
    path = os.path.join(options.build, "events.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    for name in ("us_per_event", "us_per_event_of_passes"):
        if len(rows) > 1:
            judge(name, rows[0], rows[-1])
    return 0


if __name__ == "__main__":
    commands.run(main)

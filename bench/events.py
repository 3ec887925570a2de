#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an event of the machine in virtual time costs this computer, by the number of ranks: KM on
mppa16k, once with one pass over its points and once with twenty. Of the whole run it is processor
time of user and system, of the passes alone that of user: the system's is for pages that the start
touches, which hides few passes. Means of several turns, as the system tells user from system by
ticks; the target of docs/sim.md is a cost with the most ranks of at most twice that with the
fewest."""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import commands

RANKS = (192, 960, 3840, 16384)
PASSES = (1, 20)
TARGET = 2
TURNS_MOST = 40  # of the fewest ranks, whose passes take some hundredths of a second


def execute(command, said):
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
            code, used = execute(command, said)
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


def measure(build, ranks, turns):
    runs = {passes: [] for passes in PASSES}
    for _ in range(turns):
        for passes in PASSES:
            runs[passes].append(Run(build, ranks, passes))
    few, many = (runs[passes] for passes in PASSES)
    user = [statistics.fmean(run.user for run in each) for each in (few, many)]
    system = statistics.fmean(run.system for run in many)
    events = many[0].events
    return {"ranks": ranks, "turns": turns, "events": events,
            "wall_s": round(statistics.median(run.wall for run in many), 2),
            "user_s": round(user[1], 2), "system_s": round(system, 2),
            "us_per_event": round(1e6 * (user[1] + system) / events, 3),
            "us_per_event_of_passes":
                round(1e6 * (user[1] - user[0]) / (events - few[0].events), 3),
            "memory_GB": round(max(run.memory for run in many) / 1e9, 2)}


def judge(name, first, last):
    if first[name] <= 0:
        print(f"{name}: not measured: too short with {first['ranks']} ranks")
        return
    ratio = last[name] / first[name]
    print(f"{name}: {ratio:.2f} times with {last['ranks']} ranks what it is with "
          f"{first['ranks']}: {'met' if ratio <= TARGET else 'missed'} (<= {TARGET})")


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
        turns = options.turns or max(1, min(TURNS_MOST, 3 * max(RANKS) // ranks))
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

# SPDX-License-Identifier: MIT
"""Runs the jobs of rows. Those that measure the same with as many ranks take turns, so that what
the computer does besides falls on all of them."""
import os
import sys
import time

import job as jobs


def memory():
    """Bytes that the buffers of a job may take: a third of what is free."""
    with open("/proc/meminfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 // 3
    return 1 << 30


class Turns:
    """times[key(row, job)]: {(series, bytes): [Time of each turn]}; failed: lines."""

    def __init__(self, libraries, rows, turns, seconds, limit, series=None):
        """series: names of those to measure, None: all that a row's program has."""
        self.libraries, self.turns, self.limit = libraries, turns, limit
        self.only = ":" + ",".join(series) if series else ""
        self.seconds, self.memory = str(seconds), str(memory())
        self.times, self.failed, self.leave = {}, [], {}
        self.groups = {}
        for row in rows:
            for job in row.jobs:
                group = self.groups.setdefault((row.program, job.ranks), {})
                group.setdefault(self.key(row, job), (job, row))

    @staticmethod
    def key(row, job):
        return row.program, job._replace(label="")

    def run(self, row):
        """Runs what the row needs and was not run yet."""
        for ranks in sorted({job.ranks for job in row.jobs}):
            group = self.groups.pop((row.program, ranks), {})
            for turn in range(1, self.turns + 1):
                for key, (job, of) in group.items():
                    print(f"peers: {row.program}, {ranks} ranks, turn {turn} of {self.turns}: "
                          f"{job.label}", end="", file=sys.stderr, flush=True)
                    begun = time.monotonic()
                    self.turn(key, job, of)
                    print(f", {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    def turn(self, key, job, row):
        leave, times = self.leave.setdefault(key, set()), self.times.setdefault(key, {})
        if leave is None:
            return
        library = self.libraries[job.library]
        command = library.command(job.ranks, job.cluster)
        if job.one_core:
            command = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]
        sizes = ",".join(map(str, row.sizes))
        arguments = [row.program + self.only, self.seconds, sizes, self.memory]
        try:
            for series, size, taken in jobs.measure(command, arguments,
                                                   library.environment(job.ranks), self.limit,
                                                   leave):
                times.setdefault((series, size), []).append(taken)
        except (jobs.Failed, OSError) as problem:
            self.failed.append((job.library, f"{job.label}, {row.program}, {job.ranks} ranks: "
                                f"{problem}"))
            print(f"\npeers: failed: {self.failed[-1][1]}", file=sys.stderr, flush=True)
            if not times:
                self.leave[key] = None  # it will not do better in the next turn

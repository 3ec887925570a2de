# SPDX-License-Identifier: MIT
"""What `lwmpi bench tune` chooses of measured ratios, and where it writes its sections: one that is
new in front of those for any processor, as the first one that fits counts; what it makes of points
that fail, take too long or are missing, and of an odd command line.

usage: tune.py FOLDER-OF-BENCH
"""
import os
import subprocess
import sys

sys.path.insert(0, sys.argv[1])

import tune

ANY = "[*-shared]\nA = 1\n"
OTHER = "# what this is\n\n[Other-1-2]\nA = 2\n"
NEW = ["[This-3-4]", "A = 3"]


def check(what, is_, should_be):
    if is_ != should_be:
        sys.exit(f"tune: {what}: {is_!r}, should be {should_be!r}")


check("a first section", tune.replaced("", "This-3-4", NEW), "[This-3-4]\nA = 3\n")
check("behind other processors", tune.replaced(OTHER, "This-3-4", NEW),
      OTHER + "\n[This-3-4]\nA = 3\n")
both = tune.replaced(OTHER + "\n" + ANY, "This-3-4", NEW)
check("in front of any processor", both, OTHER + "\n[This-3-4]\nA = 3\n\n" + ANY)
check("in its place", tune.replaced(both, "This-3-4", ["[This-3-4]", "A = 4"]),
      both.replace("A = 3", "A = 4"))
check("a name that begins alike", tune.replaced(both, "This-3", ["[This-3]"]).count("[This-3"), 2)

check("the least size", tune.least_of({1: 1.2, 2: 0.9, 4: 1.05, 8: 0.5}), 2)
check("no least size", tune.least_of({1: 1.2, 2: 1.0, 4: 1.1}), None)
check("a range", tune.range_of({1: 1.2, 2: 0.5, 4: 1.1, 8: 0.6, 16: 1.3}), (2, 8))
check("no range", tune.range_of({1: 1.0, 2: 1.4}), None)
check("few ranks' sizes", tune.shared_sizes(1), tune.SHARED_SIZES)
check("too many ranks' sizes", tune.shared_sizes(10 ** 9), tune.SHARED_SIZES[:1])


class Ours:
    """A library whose points are made up: [(series, bytes, Time)], or what goes wrong."""

    def __init__(self, points):
        self.points, self.environments = points, []
        tune.job.measure = self.measure

    def environment(self, ranks):
        return dict(os.environ)

    def command(self, ranks, cluster):
        return []

    def measure(self, command, arguments, environment, limit, leave):
        self.environments.append(environment)
        if isinstance(self.points, Exception):
            raise self.points
        yield from self.points


def measured(points, wanted=(("latency", 8),)):
    """What tune makes of these points: times by cells, or the words of its failure."""
    try:
        return tune.measure(Ours(points), 2, 0.1, 2, "pair", wanted, ["cells"])["cells"]
    except tune.Failed as problem:
        return str(problem)


def says(what, words, *points_and_wanted):
    told = measured(*points_and_wanted)
    if not isinstance(told, str) or words not in told:
        sys.exit(f"tune: {what}: {told!r}, should say {words!r}")


Time = tune.job.Time
check("two turns", measured([("latency", 8, Time(1, False))]), {("latency", 8): [1, 1]})
says("a point that takes too long", "latency of 8 bytes by cells took more than 10 s",
     [("latency", 8, Time(10, True))])
says("a job that fails", "pair by cells, 2 ranks: ended with 3", tune.job.Failed("ended with 3"))
says("a point for which there is no memory", "gap 64 of 4194304 bytes was passed over",
     [("latency", 8, Time(1, False))], (("latency", 8), ("gap 64", 4 << 20)))
os.environ["LWMPI_SINGLE_COPY"], ours = "7", Ours([("latency", 8, Time(1, False))])
tune.measure(ours, 1, 0.1, 2, "pair", (("latency", 8),), ["past caches"])
check("what the caller has set", ours.environments[0].get("LWMPI_SINGLE_COPY"), tune.NEVER)
os.environ["LWMPI_EAGER_LIMIT"] = "7"
tune.measure(ours, 1, 0.1, 2, "pair", (("latency", 8),), ["past caches"])
check("what the caller has set", "LWMPI_EAGER_LIMIT" in ours.environments[1], False)

for options, words in ((["--turns", "0"], "'0' is no number above 0"),
                       (["--seconds", "nan"], "'nan' is no number above 0"),
                       (["--output", "/nowhere/at all"], "/nowhere/at all cannot be written"),
                       (["--output", "/"], "/ cannot be written")):
    done = subprocess.run([sys.executable, os.path.join(sys.argv[1], "tune.py"), "/nowhere",
                           "/nowhere", *options], capture_output=True, text=True, timeout=60)
    if done.returncode != 2 or words not in done.stderr:
        sys.exit(f"tune: {options}: ended with {done.returncode}: {done.stderr}")

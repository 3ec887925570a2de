# SPDX-License-Identifier: MIT
"""What `lwmpi bench tune` chooses of measured ratios, and where it writes its sections: one that is
new in front of those for any processor, as the first one that fits counts.

usage: tune.py FOLDER-OF-BENCH
"""
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

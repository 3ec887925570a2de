# SPDX-License-Identifier: MIT
"""What is compared: the rows of the target table, each with the jobs whose times it needs."""
import collections

from job import Job
from library import OURS

# A comparison: the title of its ratio, the columns whose best is the other side, the highest ratio
# that meets it (None: the ratio is only shown), the one that no point may exceed in any case (for
# the count only), and its column of the CSV file.
Against = collections.namedtuple("Against", "title columns limit never record")
# What the sizes of a row are, the unit of its times and how many of these a second has, and whether
# a line of its tables is a series and not a size.
Unit = collections.namedtuple("Unit", "size time per_second lines_are_series")
# program: the part of the C program. ours: the column that is compared.
Row = collections.namedtuple("Row", "name title program sizes jobs ours against unit")

BETTER = Against("better", ("openmpi", "mpich"), 1.0, 1.2, "ratio")
INTEL = Against("impi", ("impi",), 1.3, 1.3, "ratio_impi")
OPEN_MPI = Against("openmpi", ("openmpi",), 1.0, 1.2, "ratio")
BESIDE = [Against("impi", ("impi",), None, None, "ratio_impi"),
          Against("mpich", ("mpich",), None, None, "ratio_mpich")]
BYTES = Unit("bytes", "us", 1e6, False)
PERCENT = Unit("%", "ms", 1e3, True)  # of the steps of a whole run
WORK, HIDDEN = 3e-3, 95  # seconds of computing (overlap.c), percent of an exchange behind it

RANKS = [2, 4, 16, 64, 192]
PROGRAM_RANKS = [2, 4]
SIZES = {
    "pair": [0] + [2 ** k for k in range(23)],
    "coll": [8, 128, 1 << 10, 8 << 10, 64 << 10, 512 << 10],
    "icoll": [8, 128, 1 << 10, 8 << 10, 64 << 10, 512 << 10],
    "types": [1024 * 4 ** k for k in range(9)],
    "overlap": [64 << 10, 1 << 20],
    "programs": [100],
}
QUICK_RANKS = [2, 4]
QUICK_SIZES = {"pair": [0, 8, 65536], "coll": [8, 8192], "icoll": [8, 8192], "types": [1024, 65536],
               "overlap": [64 << 10, 1 << 20], "programs": [5]}


def processes(libraries, ranks):
    return [Job(name, name, ranks, 1, False) for name in libraries]


def fibers(label, ranks, cluster=None, one_core=False):
    return Job(label, OURS, ranks, cluster or ranks, one_core)


def rows(libraries, ranks, quick):
    """The rows, in the order of the table. libraries: those that can be had; ranks: of collectives
    between processes and of programs, None: those of the targets."""
    size = QUICK_SIZES if quick else SIZES
    few, many, cluster = (4, 8, 4) if quick else (16, 192, 12)
    ours = OURS in libraries
    coll_ranks = ranks or (QUICK_RANKS if quick else RANKS)
    everyone = tuple(libraries)
    shared = f"{cluster} a process"
    return [
        Row("pair", "two processes: latency, and the gap between messages in windows", "pair",
            size["pair"], processes(libraries, 2), OURS, [BETTER, INTEL], BYTES),
        Row("coll", "collectives between processes", "coll", size["coll"],
            [job for n in coll_ranks for job in processes(libraries, n)], OURS, [BETTER, INTEL],
            BYTES),
        Row("nonblocking", "nonblocking collectives between processes", "icoll", size["icoll"],
            [job for n in coll_ranks for job in processes(libraries, n)], OURS, [BETTER, INTEL],
            BYTES),
        Row("clusters", f"collectives of {many} ranks, {cluster} in each process, beside {many} "
            "processes", "coll", size["coll"],
            processes(libraries, many) + [fibers(shared, many, cluster)] * ours, shared,
            [Against("best", everyone, 1.0, 1.2, "ratio")], BYTES),
        Row("fibers", "two ranks in one process", "pair", size["pair"],
            [fibers("two cores", 2), fibers("one core", 2, one_core=True)] * ours, None, [],
            BYTES),
        Row("fibers-coll", "collectives in one process", "coll", size["coll"],
            [fibers("fibers", few), fibers("fibers", many)] * ours, None, [], BYTES),
        Row("types", "two processes: types with holes, packed, unpacked, sent", "types",
            size["types"], processes(libraries, 2), OURS, [BETTER], BYTES),
        Row("overlap", "an exchange of two processes alone, and behind 3 ms of computing",
            "overlap", size["overlap"], processes(libraries, 2), None, [], BYTES),
        Row("programs", "whole programs between processes", "programs", size["programs"],
            [job for n in ranks or PROGRAM_RANKS for job in processes(libraries, n)], OURS,
            [OPEN_MPI, *BESIDE], PERCENT),
    ]


PARTS = [row.name for row in rows([OURS], None, False)]

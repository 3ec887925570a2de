# SPDX-License-Identifier: MIT
"""mpiexec and programs under the limits that the system sets a process (ulimit)."""
import os
import re
import resource
import subprocess

from launch import PATIENCE, PROBE, cases, expect, mpiexec

WAYS = (["--machine", "linux"], ["--ranks-per-cluster", 2], ["--machine", "mppa256"])


def limited(what, value, *args):
    return mpiexec(*args, preexec_fn=lambda: resource.setrlimit(what, (value, value)))


def small_stack():
    """What comes through mpiexec's pipes comes whole, too."""
    for way in WAYS:
        r = limited(resource.RLIMIT_STACK, 64 << 10, "-n", 2, *way, PROBE, "flood", 3000)
        expect(r.code == 0 and len(r.lines) == 6000, r)


def no_files_to_write():
    """The machine linux is a file in memory, as are the programs of ranks that share a process."""
    for way in WAYS[:2]:
        r = limited(resource.RLIMIT_FSIZE, 0, "-n", 2, *way, PROBE, "hello")
        expect(r.code == 126 and r.err.count("\n") == 1 and "ulimit -f" in r.err, r)
        expect("shared memory" in r.err and "unlimited" in r.err, r)
    r = limited(resource.RLIMIT_FSIZE, 0, "-n", 2, *WAYS[2], PROBE, "hello")
    expect(r.code == 126 and r.err.count("\n") == 1 and "ulimit -f unlimited" in r.err, r)


def no_files_to_write_without_mpiexec():
    r = subprocess.run([PROBE, "hello"], text=True, stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=PATIENCE,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    expect(r.returncode > 0 and r.stderr.count("\n") == 1 and "ulimit -f" in r.stderr, r)


def few_open_files():
    for files in (5, 7):
        for way in (["-n", 1], ["-n", 2], ["-n", 2, "--machine", "mppa256"]):
            r = limited(resource.RLIMIT_NOFILE, files, *way, PROBE, "hello")
            expect(r.code == 126 and r.err.count("\n") == 1 and r.out == "", r)
            expect("the limit is %d (ulimit -n)" % files in r.err and "need" in r.err, r)
    r = limited(resource.RLIMIT_NOFILE, 8, "-n", 1, PROBE, "hello")
    expect(r.code == 0 and r.lines == ["rank 0 of 1"], r)


def map_of_memory():
    """The rows of the fullest cluster are all of its memory; each has what the program takes."""
    if os.environ.get("SANITIZER"):  # which has an allocator of its own
        return
    r = mpiexec("-n", 4, "--machine", "mppa256", "--ranks-per-cluster", 3, "--stats", PROBE,
                "hello")
    rows = dict(re.findall(r"lwmpi:   (\S.*\S) +(\d+) KB", r.err))
    expect("the fullest cluster, 0, when most of its 2048 KB" in r.err and len(rows) == 7, r)
    expect(2040 <= sum(map(int, rows.values())) <= 2048, r)
    expect(all(int(rows[k]) > 0 for k in rows if k not in ("malloc",)), r)


def few_mappings():
    """Code and constants, variables that are constant once bound, variables: 16,384 ranks of a
    process must stay below the 65,530 mappings that Linux allows it."""
    def mappings(ranks):
        r = mpiexec("-n", ranks, "--machine", "mppa256", PROBE, "mappings")
        expect(r.code == 0, r)
        return int(r.lines[0].split()[0])
    few, many = mappings(32), mappings(192)
    expect(few < many <= few + 3 * 160, (few, many))


cases(map_of_memory, few_mappings, small_stack, no_files_to_write,
      no_files_to_write_without_mpiexec, few_open_files)

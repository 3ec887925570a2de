# SPDX-License-Identifier: MIT
"""mpiexec and programs under the limits that the system sets a process (ulimit)."""
import os
import re
import resource
import subprocess
import tempfile
from xml.etree import ElementTree

from launch import PATIENCE, PROBE, PROGRAMS, cases, expect, mpiexec

STACKS = os.path.join(PROGRAMS, "stacks")
os.environ["ASAN_OPTIONS"] = "handle_segv=0"  # a sanitizer would take the signal itself
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
    r = mpiexec("-n", 1, "--machine", "mppa256", "--stats", PROBE, "hello")  # a rank alone, too
    alone = dict(re.findall(r"lwmpi:   (\S.*\S) +(\d+) KB", r.err))
    expect(alone["code of programs"] == rows["code of programs"], (r, rows))
    expect(int(alone["variables of programs"]) == int(rows["variables of programs"]) / 3, r)


def drawing_of_memory():
    """A bar for each cluster, as high as what it used, also when a rank ends the job."""
    if os.environ.get("SANITIZER"):
        return
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "map.svg")
        for probe in (["hello"], ["abort", 5, 1]):
            r = mpiexec("-n", 20, "--machine", "mppa256", "--stats", "--memory-map", path, PROBE,
                        *probe)
            expect(r.code == (5 if probe[0] == "abort" else 0), r)
            rows = dict(re.findall(r"lwmpi:   (\S.*\S) +(\d+) KB", r.err))
            number = re.search(r"the fullest cluster, (\d+)", r.err).group(1)
            titles = [t.text for t in ElementTree.parse(path).iter() if t.tag.endswith("title")]
            expect(len(titles) == 20 * 7, titles)
            bar = [t for t in titles if t.startswith("cluster %s: " % number)]
            for use in set(rows) - {"free"}:
                expect("cluster %s: %s %s KB" % (number, use, rows[use]) in bar, (bar, rows))
            expect("cluster %s: %s of 2048 KB free" % (number, rows["free"]) in bar, (bar, rows))
            expect(int(rows["stacks"]) > 100, r)  # of the cluster that has 16 ranks
    r = mpiexec("-n", 2, "--machine", "mppa256", "--memory-map", "/nowhere/map.svg", PROBE, "hello")
    expect(r.code == 2 and "/nowhere/map.svg" in r.err, r)
    r = mpiexec("-n", 2, "--memory-map", "map.svg", PROBE, "hello")
    expect(r.code == 2 and "virtual time" in r.err, r)


def linpack_of_4000():
    """8 MB for each of 16 clusters: refused, as malloc says it; 1250, 0.8 MB, fits."""
    if os.environ.get("SANITIZER"):
        return
    job = ["-n", 16, "--machine", "mppa256", "--map", "scatter"]
    r = mpiexec(*job, PROBE, "matrix", 4000)
    expect(r.code == 0 and r.lines == ["Memory allocation failed for A, x and b. Skip."], r)
    expect("malloc said no 16 times" in r.err and "8016000 bytes" in r.err, r)
    r = mpiexec(*job, PROBE, "matrix", 1250)
    expect(r.code == 0 and r.lines == ["allocated"] and r.err == "", r)
    r = mpiexec(*job, "--memory", "report", PROBE, "matrix", 4000)
    expect(r.lines == ["allocated"] and "does not fit" in r.err, r)


def stacks_as_touched():
    """What ranks touch of their stacks is the cluster's while the job runs: what the memory has no
    room for ends the rank that touched it, always the same."""
    job = ["-n", 2, "--machine", "mppa256", STACKS, "room"]
    r = mpiexec(*job, 900, 1, 400)
    full = re.search(r"^lwmpi: rank 1 \(cluster 0\): stack overflow in deep: its stack has (\d+) "
                     r"KB and needs (\d+) bytes more, of its 2048 KB the cluster has (\d+) left; "
                     r".*compute_memory .*--memory=report", r.err, re.M)
    if not os.environ.get("SANITIZER"):  # whose allocator is not charged
        expect(r.code == 139 and full and int(full[3]) < int(full[2]) == 4096, r)
        expect(24 < int(full[1]) < 300, r)
        expect(mpiexec(*job, 900, 1, 400).err.split("process")[0] == r.err.split("process")[0], r)
    for fits in (["-n", 2, *job[2:], 900, 1, 40], ["-n", 2, *job[2:], 500, 1, 400],
                 ["-n", 2, "--map", "scatter", *job[2:], 900, 1, 400],
                 ["-n", 2, "--set", "compute_memory=4MB", *job[2:], 900, 1, 400],
                 ["-n", 2, "--memory", "no", *job[2:], 900, 1, 400]):
        r = mpiexec(*fits)
        expect(r.code == 0 and r.err == "", r)


def stacks_on_the_map():
    """Each of 16 ranks may have 800 KB of stack, but not all in 2 MB; of two they fit. What a rank
    has touched stays its own until it ends."""
    if os.environ.get("SANITIZER"):  # whose frames are larger
        return
    job = ["--machine", "mppa256", STACKS, "deep", 800]

    def row(*ranks):
        r = mpiexec("--stats", *ranks, *job)
        expect(r.code == 0, r)
        return int(re.search(r"lwmpi:   stacks +(\d+) KB", r.err)[1]), r
    flat, _ = row("-n", 16, "--memory", "no")
    two, _ = row("-n", 2)
    expect(2 * 770 < two < 2 * 960, (two, flat))
    all_of_them, r = row("-n", 16, "--memory", "report")
    expect(16 * 770 < all_of_them < 16 * 960, r)
    more = re.search(r"does not fit: cluster 0 needs (\d+) KB more than its 2048 KB", r.err)
    expect(more and all_of_them - 2048 < int(more[1]) < all_of_them - 1024, r)
    r = mpiexec("-n", 16, *job)
    expect(r.code == 139 and "stack overflow in deep" in r.err, r)
    for fits in (["-n", 2, *job], ["-n", 16, "--map", "scatter", *job],
                 ["-n", 16, "--memory", "no", *job], ["-n", 16, *job[:-1], 8]):
        expect(mpiexec(*fits).err == "", fits)


def stacks_by_large_frames():
    """A function may have more than a page at once, and the system may write there first."""
    job = ["--machine", "mppa256", STACKS, "frame"]
    for ranks, size in ((16, 40), (2, 600)):
        r = mpiexec("-n", ranks, *job, size)
        expect(r.code == 0 and r.err == "", r)
    r = mpiexec("-n", 16, *job, 200)
    expect(r.code == 139 and re.search(r"rank \d+ .*: stack overflow in one_frame: ", r.err), r)
    r = mpiexec("-n", 2, *job, 3000)
    expect(r.code == 139 and re.search(r"stack overflow in one_frame: it needs \d{6} bytes more "
                                       r"than the 20\d\d KB that a stack has", r.err), r)
    for ranks in (1, 4):
        for rank in range(ranks):
            r = mpiexec("-n", ranks, "--machine", "mppa256", STACKS, "leap", rank)
            expect(r.code == 139 and f"rank {rank} (cluster 0): stack overflow in leaf: it needs "
                   in r.err, r)


def stacks_and_signals():
    """A program that handles memory signals, or blocks them, is not told when a stack grows; what a
    rank forks is not charged."""
    for probe in (["catches", 600], ["forked", 1400], ["blocked", 600]):
        for few in (["-n", 1], ["-n", 2]):
            r = mpiexec(*few, "--machine", "mppa256", STACKS, *probe)
            expect(r.code == 0 and r.err == "", r)
    for place in range(0, 4096, 64):  # of a page: at some the system would end the process
        r = mpiexec("-n", 1, "--machine", "mppa256", STACKS, "shell", 40000 + place)
        expect(r.code == 0, r)


def code_on_stacks():
    """A program that says so runs code on its stack, on each kind of machine."""
    for way in WAYS:
        r = mpiexec("-n", 3, *way, os.path.join(PROGRAMS, "trampoline"))
        expect(r.code == 0 and sorted(r.lines) == ["7", "8", "9"], r)


def to_the_last_page():
    """A program that takes all: no page is left, no more was given than there is, and what it took
    is what the map says."""
    if os.environ.get("SANITIZER"):
        return
    for machine, memory in (("mini", 256), ("mppa256", 2048)):
        r = mpiexec("-n", 1, "--machine", machine, "--stats", PROBE, "fill")
        rows = {k: int(v) for k, v in re.findall(r"lwmpi:   (\S.*\S) +(\d+) KB", r.err)}
        got = re.fullmatch(r"(\d+) bytes, full, again", r.out.strip())
        expect(r.code == 0 and got and len(rows) == 7 and rows["free"] == 0, r)
        expect(memory - len(rows) < sum(rows.values()) <= memory, r)
        expect(0.9 * rows["malloc"] < int(got[1]) / 1024 < rows["malloc"] + 1, r)


def few_mappings():
    """Code and constants, variables that are constant once bound, variables: 16,384 ranks of a
    process must stay below the 65,530 mappings that Linux allows it."""
    def mappings(ranks):
        r = mpiexec("-n", ranks, "--machine", "mppa256", PROBE, "mappings")
        expect(r.code == 0, r)
        return int(r.lines[0].split()[0])
    few, many = mappings(32), mappings(192)
    expect(few < many <= few + 3 * 160, (few, many))


cases(map_of_memory, drawing_of_memory, linpack_of_4000, stacks_as_touched, stacks_on_the_map,
      stacks_by_large_frames, stacks_and_signals, code_on_stacks, to_the_last_page, few_mappings,
      small_stack, no_files_to_write, no_files_to_write_without_mpiexec, few_open_files)

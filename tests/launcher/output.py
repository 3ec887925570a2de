# SPDX-License-Identifier: MIT
"""Output and input: whole lines, labels, order, nothing lost, standard input for rank 0."""
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import time

from launch import MPIEXEC, PATIENCE, PROBE, cases, expect, finish, mpiexec, soon, start

# Ranks as processes, ranks sharing processes, ranks sharing one process in virtual time.
WAYS = (["--machine", "linux"], ["--ranks-per-cluster", 2], ["--machine", "mppa256"])
# What a rank prints through the C library alone fails without a reason that it keeps.
NOT_WRITTEN = re.compile("cannot write standard output: (No space left|some text is lost)")


def labels():
    for way in WAYS:
        for option in ("--label", "-l", "-prepend-rank", "--tag-output"):
            r = mpiexec("-n", 4, option, *way, PROBE, "hello")
            want = ["[%d] rank %d of 4" % (i, i) for i in range(4)]
            expect(r.code == 0 and sorted(r.lines) == want, r)
    r = mpiexec("-n", 1, "-l", PROBE, "hello")
    expect(r.out == "[0] rank 0 of 1\n", r)


def lines_stay_whole():
    for way in WAYS:
        r = mpiexec("-n", 6, *way, PROBE, "pieces", 20)
        whole = [line for line in r.lines if line.startswith("<")]
        expect(r.code == 0 and len(whole) == 120, r)
        expect(all(re.fullmatch(r"<(\d) \d+ \1>", line) for line in whole), r)
        rest = [line for line in r.lines if not line.startswith("<")]
        expect(sorted(rest) == ["[%d" % i for i in range(6)], r)
        # A sanitizer's own time in printf is taken for the program's computing, and told of.
        said = [line for line in r.err.splitlines() if not line.startswith("lwmpi: computation ")]
        expect(sorted(said) == sorted(20 * ["(%d)" % i for i in range(6)]), r)


def labels_of_unfinished_lines():
    for way in WAYS:
        r = mpiexec("-n", 3, "-l", *way, PROBE, "pieces", 1)
        last = [line for line in r.lines if "<" not in line]
        expect(r.code == 0 and sorted(last) == ["[%d] [%d" % (i, i) for i in range(3)], r)
        expect(all(re.fullmatch(r"\[(\d)\] \(\1\)", line) for line in r.err.splitlines()), r)


def flood(*way):
    """Ten megabytes from each of eight ranks, each rank's lines in order, none lost or mixed."""
    lines, ranks = 100000, 8
    next_line = [0] * ranks
    p = subprocess.Popen([MPIEXEC, "-n", str(ranks), *map(str, way), PROBE, "flood", str(lines)],
                         stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    for line in p.stdout:
        if len(line) != 100:
            raise AssertionError("mixed: %r" % line)
        rank, number = int(line[:4]), int(line[5:13])
        if number != next_line[rank]:
            raise AssertionError("rank %d: %d instead of %d" % (rank, number, next_line[rank]))
        next_line[rank] += 1
    if p.wait() != 0 or next_line != [lines] * ranks:
        raise AssertionError("code %d, lines %s" % (p.returncode, next_line))


def flood_from_processes():
    flood("--machine", "linux")


def flood_from_one_process():
    # A sanitizer makes the program larger than what mini has for it.
    flood("--machine", "mini", "--memory", "no", "--ranks-per-cluster", 4)


def slow_reader_stops_the_writers_not_mpiexec():
    def flooded():
        p = start("-n", 2, PROBE, "flood", 200000, stdin=subprocess.DEVNULL)
        time.sleep(0.5)
        with open("/proc/%d/statm" % p.pid) as f:
            pages = int(f.read().split()[1])
        if pages * 4096 > 64 << 20:
            raise AssertionError("mpiexec holds %d pages" % pages)
        p.send_signal(2)
        r = finish(p, time.time())
        expect(r.code == 130, "code %d" % r.code)
        return r
    soon(3, flooded)


def reader_that_ends():
    """mpiexec ... | head -1: no message, and an end."""
    p = subprocess.run("'%s' -n 2 '%s' flood 100000 | head -1" % (MPIEXEC, PROBE), shell=True,
                       stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    if len(p.stdout.splitlines()) != 1 or p.stderr != "":
        raise AssertionError(p.stderr)


def to_a_full_disk(*args, **streams):
    with open("/dev/full", "w") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   **{name: full for name in streams}}
        return subprocess.run([MPIEXEC, *map(str, args)], text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, **streams)


def ways_that_end():
    """Where a rank ends its process in the middle: ThreadSanitizer's own _exit comes back to ranks
    that share it."""
    alone = os.environ.get("SANITIZER") == "thread"
    return [(n, way) for n, way in ((1, WAYS[0]), *((2, way) for way in WAYS), (4, WAYS[1]))
            if not (alone and "--ranks-per-cluster" in way)]


def said(text):
    """The lines without those of a sanitizer, which speaks of a process that is killed."""
    return [s for s in text.splitlines() if not s.startswith(("ThreadSanitizer", "=="))]


def output_that_is_lost():
    """A full disk, noticed while the ranks run or only after their end."""
    for n, way in ways_that_end():
        for lines in 1, 100000:
            p = to_a_full_disk("-n", n, *way, PROBE, "flood", lines, stdout=True)
            expect(p.returncode == 141 and NOT_WRITTEN.search(p.stderr), "%s %s" % (way, p))
            expect(len(said(p.stderr)) == 1, "%s %s" % (way, p))
        p = to_a_full_disk("-n", n, *way, PROBE, "pieces", 3, stderr=True)
        expect(p.returncode == 141, "%s %s" % (way, p))


def what_is_told_at_the_end_is_lost():
    for way in WAYS:
        p = to_a_full_disk("-n", 2, *way, "--stats", PROBE, "flood", 1, stderr=True)
        expect(p.returncode == 141, "%s %s" % (way, p))


def output_that_files_do_not_take():
    for way in {str(way): way for _, way in ways_that_end()}.values():
        for what in (("flood", 1), ("pieces", 0)):  # a whole line, and half of one
            r = mpiexec("-n", 2, "-outfile-pattern", "/dev/full", *way, PROBE, *what)
            expect(r.code == 141 and NOT_WRITTEN.search(r.err), r)
        r = mpiexec("-n", 2, "-errfile-pattern", "/dev/full", *way, PROBE, "pieces", 3)
        expect(r.code == 141, r)


def not_written(option, path):
    return "%s %s: cannot write this file: No space left on device" % (option, path)


def traces_and_reports_on_a_full_disk():
    if os.environ.get("SANITIZER"):  # it must be loaded before the layer that records
        return
    for machine in "linux", "mppa256":
        for option in "--trace", "--report":
            r = mpiexec("--machine", machine, "-n", 2, option, "/dev/full", PROBE, "flood", 1)
            expect(r.code == 141 and not_written(option, "/dev/full") in r.err, r)


def drawings_on_a_full_disk():
    for option in "--heat", "--memory-map":
        r = mpiexec("--machine", "mini", "--memory", "no", "-n", 2, option, "/dev/full", PROBE,
                    "flood", 1)
        expect(r.code == 141 and not_written(option, "/dev/full") in r.err, r)
    r = mpiexec("--machine", "mini", "--memory", "no", "--sweep", "noc.hop_cycles=8", "--chart",
                "/dev/full", PROBE, "flood", 1)
    expect(r.code == 141 and not_written("--chart", "/dev/full") in r.err, r)
    expect(not os.path.exists("/dev/full.csv"), "a table beside a device")


def on_a_small_disk(free, name, *args):
    """mpiexec where a file may have so many KB: its result, and what is in the file, None if there
    is none. None: nobody may make a disk here."""
    with tempfile.TemporaryDirectory() as tmp:
        disk, kept = os.path.join(tmp, "disk"), os.path.join(tmp, "kept")
        os.mkdir(disk)
        script = ('mount -t tmpfs -o size=256k none "$1" && cd "$1" || exit 77; '
                  'head -c "$2" /dev/zero >filler; kept=$3 name=$4; shift 4; "$@"; code=$?; '
                  '[ -e "$name" ] && cp "$name" "$kept"; exit $code')
        words = ["unshare", "-rm", "sh", "-c", script, "sh", disk, (256 - free) << 10, kept, name,
                 MPIEXEC, *args]
        p = subprocess.run([str(w) for w in words], text=True, timeout=PATIENCE,
                           capture_output=True, stdin=subprocess.DEVNULL)
        text = None
        if os.path.exists(kept):
            with open(kept) as f:
                text = f.read()
        return None if p.returncode in (1, 77) else (p, text)


def nothing_half_written_stays():
    """Whatever is the first that has no room: what the machine writes of a trace, then the ranks'
    rows, which are added to it."""
    if os.environ.get("SANITIZER") or not shutil.which("unshare"):
        return
    for free in 0, 4, 8, 12, 16, 20, 24, 28, 36, 48, 60:
        for machine in "linux", "mppa256":
            got = on_a_small_disk(free, "t", "--machine", machine, "-n", 16, "--trace", "t", PROBE,
                                  "uneven", 0, 20)
            if not got:
                return
            p, text = got
            expect(p.returncode in (0, 141), (free, p))
            expect(p.returncode == 141 or '"rank 0"' in text, (free, p))
            why = re.search(r"--trace \S+: cannot .* No space left", p.stderr)
            expect(p.returncode == 0 or why, (free, p))
            complaints = [s for s in p.stderr.splitlines() if "computation" not in s]
            expect(len(complaints) == (p.returncode != 0), (free, p))
            if text is not None:
                json.loads(text)
    for option in "--report", "--heat", "--memory-map":
        p, text = on_a_small_disk(4, "f", "--machine", "mppa256", "-n", 4, option, "f", PROBE,
                                  "flood", 1)
        expect(p.returncode == 141 and text is None, p)
        expect(re.search(option + r" \S*f: cannot write this file: No space left", p.stderr), p)
    for machine in "linux", "mppa256":
        p, _ = on_a_small_disk(4, "f", "--machine", machine, "-n", 16, "--report", "f", PROBE,
                               "uneven", 0, 20)
        expect(p.returncode == 141 and "/proc/" not in p.stderr, p)
        expect("lwmpi: --report f: cannot write its trace: No space left" in p.stderr, p)


def traces_of_programs_without_mpiexec():
    for path in "/dev/full", "/no/such/folder/t":
        environment = dict(os.environ, LWMPI_TRACE=path)
        p = subprocess.run([PROBE, "flood", "1"], capture_output=True, text=True, env=environment,
                           timeout=PATIENCE)
        expect(p.returncode == 141 and p.stdout != "" and len(p.stderr.splitlines()) == 1 and
               "trace %s: " % path in p.stderr, p)


def what_mpiexec_prints_on_a_full_disk():
    sweep = ("--machine", "mini", "--memory", "no", "-n", 2, "--sweep", "noc.hop_cycles=8", PROBE,
             "flood", 1)
    for args in ("--help",), ("--version",), sweep:
        p = to_a_full_disk(*args, stdout=True)
        said = [line for line in p.stderr.splitlines() if "computation" not in line]
        expect(p.returncode == 141 and len(said) == 1 and
               "cannot write standard output" in said[0], p)


def input_goes_to_rank_0():
    text = "x" * 300000
    for way in WAYS[:1]:
        r = mpiexec("-n", 4, *way, PROBE, "input", "all", text=text)
        want = ["rank 0 read 300000"] + ["rank %d read 0" % i for i in (1, 2, 3)]
        expect(r.code == 0 and sorted(r.lines) == want, r)
    for way in WAYS[1:]:
        r = mpiexec("-n", 4, *way, PROBE, "input", text=text)
        expect(r.code == 0 and "rank 0 read 300000" in r.lines, r)


def arguments_environment_folder():
    with tempfile.TemporaryDirectory() as tmp:
        tmp = os.path.realpath(tmp)
        for way in WAYS:
            r = mpiexec("-n", 3, "-x", "PROBE=a b", "--wdir", tmp, *way, PROBE, "args", "one two",
                        "$HOME", "")
            want = []
            for i in range(3):
                want += ["%d: one two" % i, "%d: $HOME" % i, "%d: " % i]
                want += ["%d: PROBE=a b in %s" % (i, tmp)]
            expect(r.code == 0 and sorted(r.lines) == sorted(want), r)
            r = mpiexec("-env", "PROBE", "c", "-n", 1, *way, PROBE, "args")
            expect("PROBE=c" in r.out, r)


def plain_programs_run_as_processes():
    r = mpiexec("-n", 3, "-l", "echo", "hello world")
    expect(r.code == 0 and sorted(r.lines) == ["[%d] hello world" % i for i in range(3)], r)


def atexit_once_per_process():
    for way, text in zip(WAYS, (1, 1, 1)):
        r = mpiexec("-n", 4, *way, PROBE, "atexit")
        expect(r.code == 0 and r.out.count("atexit ran") == text, r)


def closed_descriptors():
    for closed in ("<&-", ">&-", "2>&-", "<&- 2>&-"):
        p = subprocess.run("'%s' -n 2 '%s' hello %s" % (MPIEXEC, PROBE, closed), shell=True,
                           capture_output=True, text=True, timeout=PATIENCE)
        want = "" if closed == ">&-" else ["rank 0 of 2", "rank 1 of 2"]
        if p.returncode != 0 or sorted(p.stdout.splitlines()) != sorted(want):
            raise AssertionError("%s: %s" % (closed, p))


def progress_on_a_terminal():
    for way in WAYS:
        ours, theirs = pty.openpty()
        p = start("-n", 3, *way, PROBE, "progress", stdin=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        text = b""
        try:
            while b"3 of 3" not in text:
                text += os.read(ours, 4096)
        except OSError:
            pass
        r = finish(p, time.time())
        os.close(ours)
        expect(r.code == 0 and text == b"\r1 of 3\r2 of 3\r3 of 3", "%s %s" % (r, text))
        r = mpiexec("-n", 3, *way, PROBE, "progress")
        expect(r.code == 0 and r.err == "", r)


cases(labels, lines_stay_whole, labels_of_unfinished_lines, flood_from_processes,
      flood_from_one_process, slow_reader_stops_the_writers_not_mpiexec, reader_that_ends,
      output_that_is_lost, what_is_told_at_the_end_is_lost,
      output_that_files_do_not_take, traces_and_reports_on_a_full_disk,
      drawings_on_a_full_disk, nothing_half_written_stays, traces_of_programs_without_mpiexec,
      what_mpiexec_prints_on_a_full_disk, input_goes_to_rank_0, arguments_environment_folder,
      plain_programs_run_as_processes, atexit_once_per_process, closed_descriptors,
      progress_on_a_terminal)

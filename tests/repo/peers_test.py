#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""peers_test.py BUILD: bench/peers with made-up libraries (medians, ratios, verdicts, labels, what
hangs and what fails), and in its shortest form with the lwmpi of this build alone."""
import csv
import math
import os
import signal
import subprocess
import sys
import tempfile
import time

import fake_mpi

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "peers")
sys.path.insert(1, PEERS)
import ratio  # noqa: E402
from job import Time  # noqa: E402
from ratio import Ratio  # noqa: E402

US = 1e-6


def exact(seconds):
    return Time(seconds, False)


def above(seconds):
    return Time(seconds, True)


# (what was computed, what it must be)
ARITHMETIC = [
    (ratio.median([exact(5), exact(1), exact(2)]), exact(2)),
    (ratio.median([exact(1), exact(2)]), exact(1.5)),
    (ratio.median([exact(1), above(10)]), above(10)),
    (ratio.best([exact(3), exact(2), above(1)]), exact(2)),
    (ratio.best([above(3), above(2)]), above(2)),
    (ratio.best([]), None),
    (ratio.ratio(exact(3), [exact(2), exact(4)]), Ratio(1.5, "")),
    (ratio.ratio(exact(3), [above(10)]), Ratio(0.3, "<")),
    (ratio.ratio(above(10), [exact(5)]), Ratio(2, ">")),
    (ratio.ratio(above(10), [above(10)]), None),
    (ratio.ratio(exact(1), []), None),
    (ratio.ratio(None, [exact(1)]), Ratio(math.inf, ">")),
    (ratio.hidden(100 * US, 3010 * US, 3000 * US), 90),
    (ratio.hidden(100 * US, 2999 * US, 3000 * US), 100),
    (ratio.hidden(100 * US, 4000 * US, 3000 * US), 0),
    (ratio.verdict({"a": Ratio(0.9, ""), "b": Ratio(1, ""), "c": None}, 1),
     (Ratio(1, ""), "b", 2, 0, 0, True)),
    (ratio.verdict({"a": Ratio(0.9, ""), "b": Ratio(1.01, "")}, 1),
     (Ratio(1.01, ""), "b", 2, 0, 1, False)),
    (ratio.verdict({"a": Ratio(2, ""), "b": Ratio(0.5, ">")}, 1),
     (Ratio(0.5, ">"), "b", 2, 0, 2, False)),
    (ratio.verdict({"a": Ratio(0.9, "<")}, 1), (Ratio(0.9, "<"), "a", 1, 0, 0, True)),
    (ratio.verdict({"a": Ratio(0.9, ""), "b": Ratio(math.inf, ">")}, 1),
     (Ratio(0.9, ""), "a", 2, 1, 1, False)),
    (ratio.verdict({"a": None}, 1), (None, None, 0, 0, 0, False)),
]

OURS = {"latency": {"0": [5 * US, 1 * US, 2 * US], "8": [3 * US]}}

# (libraries, options, exit code, texts in the output, lines in the table)
RUNS = [
    # The median of three turns, and the ratio to the better of the two and to Intel.
    ({"lwmpi": OURS, "mpich": {"latency": {"0": [2.5 * US], "8": [2 * US]}},
      "openmpi": {"latency": {"0": [4 * US], "8": [6 * US]}},
      "impi": {"latency": {"0": [1 * US], "8": [3 * US]}}},
     ["--only", "pair", "--turns", "3"], 0,
     ["SHORTENED", "lwmpi: Made-up MPI 1.2; as it is\n",
      "impi: Made-up MPI 1.2; I_MPI_FABRICS=shm\n",
      "pair: <= 1 of the best of openmpi, mpich  worst 1.500 (latency, 2 ranks, 8 B); "
      "1 of 2 above 1, 1 above 1.2  missed",
      "pair: <= 1.3 of impi  worst 2.000 (latency, 2 ranks, 0 B); 1 of 2 above 1.3  missed"],
     ["pair,2,latency,0,lwmpi,2,1,5,3,,0.800,2.000,",
      "pair,2,latency,8,lwmpi,3,3,3,3,,1.500,1.000,", "pair,2,latency,0,mpich,2.5,2.5,2.5,3,,,,"]),
    # Without another library there are times and no verdicts.
    ({"lwmpi": OURS}, ["--only", "pair"], 0,
     ["pair: <= 1 of the best of openmpi, mpich  nothing to compare with  not judged"],
     ["pair,2,latency,8,lwmpi,3,3,3,2,,-,-,"]),
    # What hangs is not waited for, nor measured again; the points behind it are.
    ({"lwmpi": {"barrier": {"8": [1 * US], "8192": [1 * US]}, "bcast": {"8": [1 * US]}},
      "mpich": {"barrier": {"8": ["hang", 1 * US], "8192": [1 * US]}, "bcast": {"8": [2 * US]}}},
     ["--only", "coll", "--np", "2", "--limit", "1"], 0,
     ["> 1 s", "<0.000",
      "worst 1.000 (barrier, 2 ranks, 8192 B); 0 of 3 above 1, 0 above 1.2  met"],
     ["coll,2,barrier,8,mpich,1e+06,1e+06,1e+06,1,yes,,,", "coll,2,bcast,8,mpich,2,2,2,2,,,,",
      "coll,2,barrier,8192,mpich,1,1,1,2,,,,"]),
    # A peer that fails is a result, and costs the series only; lwmpi's failure is an exit code.
    ({"lwmpi": {"barrier": {"8": [1 * US]}, "bcast": {"8": [1 * US]}},
      "mpich": {"barrier": {"8": ["fail"]}, "bcast": {"8": [2 * US]}}},
     ["--only", "coll", "--np", "2"], 0,
     ["failed: mpich, coll, 2 ranks: barrier of 8 bytes: ended with 1: peers: a fault that was",
      "0 of 1 above 1, 0 above 1.2; 1 without another time  met"],
     ["coll,2,bcast,8,mpich,2,2,2,2,,,,"]),
    ({"lwmpi": {"barrier": {"8": ["fail"]}, "bcast": {"8": [1 * US]}},
      "mpich": {"barrier": {"8": [1 * US]}, "bcast": {"8": [2 * US]}}},
     ["--only", "coll", "--np", "2"], 1,
     ["worst 0.500 (bcast, 2 ranks, 8 B); 1 of 2 above 1, 1 above 1.2, "
      "1 of them without a time of ours  missed"], []),
    # Nothing has a series of this name.
    ({"lwmpi": {"barrier": {"8": [1 * US]}}}, ["--only", "coll", "--series", "barier"], 1,
     ["no part measured has a series barier"], []),
    # 16 processes of 12 ranks are compared with the best of all, ours included.
    ({"lwmpi": {"barrier": {"8": [1 * US, 4 * US]}}, "mpich": {"barrier": {"8": [3 * US]}}},
     ["--only", "clusters", "--turns", "1"], 0,
     ["clusters: <= 1 of the best of lwmpi, mpich  worst 4.000 (barrier, 8 ranks, 8 B)"],
     ["clusters,8,barrier,8,4 a process,4,4,4,1,,4.000,,"]),
    ({"lwmpi": {"alone": {"65536": [100 * US]}, "behind 3 ms": {"65536": [3004 * US]}},
      "openmpi": {"alone": {"65536": [100 * US]}, "behind 3 ms": {"65536": [3090 * US]}}},
     ["--only", "overlap"], 0,
     ["overlap: lwmpi: 64 KB hidden to 95 %  96.0 %  met",
      "overlap: openmpi: 64 KB hidden to 95 %  10.0 %\n"], []),
    # Programs have a line each, and a target beside Open MPI only.
    ({"lwmpi": {"md": {"5": [0.2]}, "cg": {"5": [0.3]}},
      "mpich": {"md": {"5": [0.5]}, "cg": {"5": [0.2]}},
      "openmpi": {"md": {"5": [0.4]}, "cg": {"5": [0.3]}}},
     ["--only", "programs", "--np", "2"], 0,
     ["5 %, 2 ranks, ms", "       md       200       500       400     0.500         -     0.400\n",
      "programs: <= 1 of openmpi  worst 1.000 (cg, 2 ranks); 0 of 2 above 1, 0 above 1.2  met",
      "programs: beside impi  nothing to compare with  not judged",
      "programs: beside mpich  worst 1.500 (cg, 2 ranks); 1 of 2 above 1\n"],
     ["programs,2,cg,5,lwmpi,300000,300000,300000,2,,1.000,-,1.500"]),
]

SERIES = {"pair": 4, "coll": 10, "nonblocking": 10, "clusters": 10, "fibers": 4, "fibers-coll": 10,
          "types": 9, "overlap": 2, "programs": 7}
SERIES_OF_COLL = ("bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall",
                  "reduce_scatter", "scan")


def peers(place, libraries, options):
    """(exit code, all output, lines of the table) of a run in the folder `place`."""
    done = subprocess.run([sys.executable, os.path.join(PEERS, "peers.py"), place, "--quick",
                           *options, "--libraries", *libraries], capture_output=True, text=True)
    lines = []
    path = os.path.join(place, "peers.csv")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    return done.returncode, done.stdout + done.stderr, lines


def made_up(libraries, options, code, said, written):
    """What was wrong with a run, or nothing."""
    with tempfile.TemporaryDirectory() as place:
        for name, points in libraries.items():
            fake_mpi.make(os.path.join(place, "made", name), points)
        ended, text, lines = peers(place, [f"{name}={place}/made/{name}" for name in libraries],
                                   options)
    missing = [words for words in said if words not in text] + \
        [line for line in written if line not in lines]
    if ended != code:
        missing.append(f"exit code {code} instead of {ended}")
    if not any(line.startswith("# SHORTENED") for line in lines):
        missing.append("# SHORTENED")
    return f"not there: {missing}\n{text}\n" + "\n".join(lines) if missing else ""


def left_out(build, program):
    """The program measures all points but those it is told to leave out, or has no memory for."""
    done = subprocess.run([os.path.join(build, "bin/mpiexec"), "-n", "2", program, "coll", "0.001",
                           "8,128", str(2 * 3 * 128), "bcast:8,scan:128"], capture_output=True,
                          text=True)
    points = [",".join(line.split(",")[1:3]) for line in done.stdout.splitlines()
              if line.startswith("point,")]
    want = [f"{series},{size}" for series in SERIES_OF_COLL for size in (8, 128)
            if f"{series},{size}" not in ("bcast,8", "scan,128", "alltoall,128")]
    return "" if points == ["barrier,0", *want] else f"{points}\n{done.stderr}"


def only_series(build, program):
    """And only the series that are named, if any are."""
    done = subprocess.run([os.path.join(build, "bin/mpiexec"), "-n", "2", program,
                           "coll:gather,scan", "0.001", "8", str(1 << 20)], capture_output=True,
                          text=True)
    points = [line.split(",")[1] for line in done.stdout.splitlines() if line.startswith("point,")]
    return "" if points == ["gather", "scan"] else f"{points}\n{done.stderr}"


def odd_sizes(build, program):
    """Sizes that no count of MPI can have are refused, and what is no number is."""
    for sizes in ("3000000000", "-8", "8x", "many"):
        done = subprocess.run([os.path.join(build, "bin/mpiexec"), "-n", "2", program, "pair",
                               "0.001", sizes, str(1 << 20)], capture_output=True, text=True)
        if done.returncode != 2 or f"commas between them, not {sizes}" not in done.stderr:
            return f"size {sizes}: ended with {done.returncode}: {done.stdout}{done.stderr}"
    return ""


def alone(build):
    """lwmpi itself: every part runs, and its results come out right, which the program checks."""
    with tempfile.TemporaryDirectory() as place:
        code, text, lines = peers(place, [f"lwmpi={build}"], ["--turns", "1", "--np", "2", "3"])
        program = os.path.join(place, "peers/bin/peers-lwmpi")
        wrong = left_out(build, program) + only_series(build, program) + \
            odd_sizes(build, program)
    found = {}
    for cells in csv.reader(line for line in lines if not line.startswith("#")):
        found.setdefault(cells[0], set()).add(cells[2])
    count = {row: len(series) for row, series in found.items() if row != "row"}
    return wrong if code == 0 and count == SERIES else f"ended with {code}: {count}\n{text}"


def environment():
    """Variables that a library heeds are told beside it, whoever set them."""
    os.environ["LWMPI_SINGLE_COPY"] = "7"
    try:
        return made_up({"lwmpi": OURS}, ["--only", "pair"], 0,
                       ["1.2; LWMPI_SINGLE_COPY=7 (found in the environment)\n"], [])
    finally:
        del os.environ["LWMPI_SINGLE_COPY"]


def trial(seconds):
    """Points that took less than they should are a trial, whatever else was measured."""
    with tempfile.TemporaryDirectory() as place:
        made = os.path.join(place, "made")
        fake_mpi.make(made, OURS)
        done = subprocess.run([sys.executable, os.path.join(PEERS, "peers.py"), place, "--only",
                               "fibers", "--seconds", seconds, "--libraries", f"lwmpi={made}"],
                              capture_output=True, text=True)
    return "" if ("SHORTENED" in done.stdout) == (float(seconds) < 0.1) else done.stdout


def odd_options():
    """What is no sensible option is said, with what would be right."""
    for options, words in ((["--np", "0"], "'0' is no number above 0"),
                           (["--seconds", "nan"], "'nan' is no number above 0"),
                           (["--limit", "inf"], "'inf' is no number above 0"),
                           (["--libraries", "mvapich"], "'mvapich' is none of lwmpi, mpich")):
        done = subprocess.run([sys.executable, os.path.join(PEERS, "peers.py"), os.devnull,
                               *options], capture_output=True, text=True)
        if done.returncode != 2 or words not in done.stderr:
            return f"{options}: ended with {done.returncode}: {done.stdout}{done.stderr}"
    return ""


def processes(word):
    """Numbers of the processes that have this word in their command lines."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                found += [number] if word.encode() in file.read() else []
        except OSError:
            pass  # it has ended meanwhile
    return found


def until(holds, seconds=30):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def broken_off(number):
    """A signal ends the measurement, and the job that hangs in it."""
    with tempfile.TemporaryDirectory() as place:
        made = os.path.join(place, "made")
        fake_mpi.make(made, {"latency": {"0": ["hang"]}})
        running = subprocess.Popen([sys.executable, os.path.join(PEERS, "peers.py"), place,
                                    "--quick", "--only", "pair", "--limit", "50", "--libraries",
                                    f"lwmpi={made}"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        begun = until(lambda: os.path.exists(os.path.join(made, "latency-0")))
        running.send_signal(number)
        code = running.wait(30)
        left = not until(lambda: not processes(made), 5)
    return f"{number!r}: begun {begun}, ended with {code}, left: {left}" \
        if not begun or code != 128 + number or left else ""


def unread():
    """Where nobody reads what it prints any more it ends, without a word."""
    with tempfile.TemporaryDirectory() as place:
        made = os.path.join(place, "made")
        fake_mpi.make(made, {})
        running = subprocess.Popen([sys.executable, os.path.join(PEERS, "peers.py"), place,
                                    "--quick", "--only", "pair", "--libraries", f"lwmpi={made}"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.stdout.close()
        said = running.stderr.read()
        code = running.wait(30)
    return f"unread: ended with {code}: {said}" if code != 128 + signal.SIGPIPE or \
        "Traceback" in said else ""


def nothing_there():
    with tempfile.TemporaryDirectory() as place:
        code, text, _ = peers(place, [f"mpich={place}/nowhere"], [])
    said = ("mpich is left out", "nowhere: cannot compile", "no library to measure")
    return "" if code == 1 and all(words in text for words in said) else text


def main(build):
    problems = [f"{got} instead of {want}" for got, want in ARITHMETIC
                if got != want and not (isinstance(got, float) and math.isclose(got, want))]
    problems += [made_up(*run) for run in RUNS]
    problems += [nothing_there(), alone(build), environment(), trial("0.02"), trial("0.1"),
                 odd_options(), broken_off(signal.SIGTERM), broken_off(signal.SIGINT),
                 unread()]
    problems = [problem for problem in problems if problem]
    print("\n".join(problems))
    print(f"{len(ARITHMETIC) + len(RUNS) + 9} rows, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

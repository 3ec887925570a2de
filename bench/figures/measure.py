# SPDX-License-Identifier: MIT
"""Runs of programs with many seeds, and what they say of each quantity.

A program is a line: assignments to environment variables, then the name of a benchmark with its
arguments, or "footprint", or "mpi", the number of ranks, options of mpiexec, "--", and the name of
an application with its arguments."""
import concurrent.futures
import glob
import itertools
import math
import os
import re
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

from conditions import Ran
from experiment import ANCESTOR, BARE

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import run as bench  # noqa: E402 (found by the line above)

TIMEOUT = 600   # seconds for one run, of a computer that others may use as well
SEEDS = 30      # of a whole run
MPI_SEEDS = 10  # of MPI programs, as in souto-2022, 5.2
ANCESTOR_SEEDS = 3  # of those of them that wait busily, which take ten times as long
MACHINE, NETWORK = "mppa256", "fluid"  # what is modelled
HEEDED = ("LWMPI_COMPUTE",)  # of the caller's environment: a program tells it, and labels have it

# Two-sided 95 % quantiles of Student's distribution for 1, 2, ... degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


class Result(NamedTuple):
    """Of one program."""
    values: dict  # {quantity: ([value with each seed], unit)}
    ran: Ran


def interval(values):
    """(mean, half the width of its 95 % confidence interval)."""
    mean, n = statistics.fmean(values), len(values)
    if n < 2:
        return mean, 0.0
    return mean, quantile(n - 1) * statistics.stdev(values) / math.sqrt(n)


def quantile(degrees):
    """The quantile for so many degrees of freedom; for many, from that of the normal distribution,
    to three decimals (Abramowitz and Stegun, 26.7.5)."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    z = statistics.NormalDist().inv_cdf(0.975)
    return (z + (z ** 3 + z) / (4 * degrees) +
            (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
            (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3))


def figures(text):
    """{quantity: (value, unit)} of a benchmark's lines name,value,unit,target."""
    return {name: (value, unit) for name, (value, unit, _) in bench.figures(text).items()}


def words_of(pattern, text):
    found = re.search(pattern, text, flags=re.M)
    if not found:
        raise ValueError(f"said nothing like {pattern!r}: {text.strip()[-300:]!r}")
    return found.groups()


def said(pattern, text):
    return float(words_of(pattern, text)[0])


def supersteps(text):
    """Of a2a: the average time of each superstep, and what says how they grow."""
    steps = {int(size): float(us) for size, us in
             re.findall(r"^ *(\d+) +([0-9.]+) +[0-9.]+ +[0-9.]+ +[0-9.]+$", text, flags=re.M)}
    if not steps:
        raise ValueError(f"said nothing of supersteps: {text.strip()[-300:]!r}")
    times, short = steps.values(), [us for size, us in steps.items() if size <= 4096]
    shown = {f"superstep of {size} B": (us, "us") for size, us in steps.items()}
    if 4096 in steps and 32768 in steps:
        shown["superstep of 32768 B / of 4096 B"] = steps[32768] / steps[4096], "ratio"
    return {**shown, "longest / shortest superstep": (max(times) / min(times), "ratio"),
            "the same up to 4096 B": (max(short) / min(short), "ratio")}


def line(x, y):
    """(slope, value at 0) of the line with the least squares."""
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    slope = (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) /
             sum((a - mean_x) ** 2 for a in x))
    return slope, mean_y - slope * mean_x


def sends(text):
    """Of osu_send: each line, and the line that fits them best, in cycles of the machine."""
    hz = said(r" cycles at ([0-9.]+) MHz", text)
    sent = [(int(size), float(send) * hz, float(way)) for size, send, way in
            re.findall(r"^(\d+) +([0-9.]+) +([0-9.]+)$", text, flags=re.M)]
    if len(sent) < 2:
        raise ValueError(f"said nothing of sends: {text.strip()[-300:]!r}")
    slope, nothing = line([size for size, _, _ in sent], [cycles for _, cycles, _ in sent])
    found = {"MPI_Send: cycles for a byte": (slope, "cycles/B"),
             "MPI_Send: cycles for nothing": (nothing, "cycles")}
    for size, cycles, way in sent:
        found[f"MPI_Send of {size} B"] = cycles, "cycles"
        found[f"latency of {size} B"] = way, "us"
        found[f"MB/s of {size} B"] = size / way, "MB/s"
        found[f"MB/s of MPI_Send of {size} B"] = size * hz / cycles, "MB/s"
        found[f"MPI_Send in a second of {size} B"] = hz * 1e6 / cycles, "messages/s"
    return found


def mpi_figures(text):
    """The same of an application: the time that it says of its own work, and mpiexec's energy and
    power, which are those of the whole job."""
    energy = said(r"^lwmpi: energy +([0-9.]+) J", text)
    time = said(r"^lwmpi: time +([0-9.]+) s", text)
    whole = {"energy": (energy, "J"), "power": (energy / time, "W")}
    if re.search("^# OSU MPI Duration of MPI_Send", text, flags=re.M):
        return {**whole, **sends(text)}
    if re.search("^# a2a: ", text, flags=re.M):
        return {**whole, **supersteps(text)}
    if re.search("^hpl: ", text, flags=re.M):
        words_of(r"^hpl: .*(residual passed)", text)
        whole["GFLOPS"] = said(r" ([0-9.]+) GFLOPS; ", text), "GFLOPS"
    return {**whole, "time": (said(r"; ([0-9.]+) s$", text), "s")}


def mpi_ran(text, seed):
    """What ran, by mpiexec's own words, and the problem by those of the program."""
    machine, network = words_of(r"^lwmpi: machine +(\w+), network model (\w+)$", text)
    ranks, mapping = words_of(r"^lwmpi: ranks +(\d+), mapping (\w+),", text)
    sizes = re.findall(r"^ *(\d+)(?: +[0-9.]+){2,}$", text, flags=re.M)
    problem = (f"{sizes[0]} to {sizes[-1]} B" if sizes else
               words_of(r"^\w+: (.*); (?:MPI|IPC), ", text)[0])
    computation = words_of(r"^lwmpi: computation +(\w+)", text)[0]
    return Ran(machine, network, int(ranks), mapping, problem, computation, (seed,))


def bench_ran(values, seed):
    """What ran, by the names of a benchmark's figures, which may be of several machines: "mppa256:
    3 threads: ...". In virtual time it calls the kernel and computes nothing; on bare metal its
    instructions are counted."""
    machine = ", ".join(dict.fromkeys(name.split(":")[0] for name in values))
    network, computation = ("", "counted") if machine == "riscv" else (NETWORK, "none")
    return Ran(machine, network, 0, "", "", computation, (seed,))


class Runner:
    """Programs of one build, on the modelled machine or a changed one of that name in the folder
    `machines`."""

    def __init__(self, build, workers, machines=None):
        self.build, self.workers = build, workers
        self.took = {}  # {program: seconds of this computer, with its last seed}
        self.started, self.ended = set(), False  # what runs now; nothing is to run any more
        self.fixed = {"LWMPI_NOC": NETWORK, "LWMPI_MACHINE": MACHINE}
        if machines:
            self.fixed["LWMPI_MACHINES"] = machines

    def command(self, words):
        if words[0] != "mpi":
            return [os.path.join(self.build, "bench", words[0]), *words[1:]]
        end = words.index("--")
        start = [os.path.join(self.build, "bin", "mpiexec"), "-n", words[1], "--machine",
                 MACHINE, "--ranks-per-cluster", "12", "--stats", *words[2:end]]
        return [*start, os.path.join(self.build, "bin", words[end + 1]), *words[end + 2:]]

    def run(self, line, seed):
        """(values, Ran) of one run; raises ValueError with what went wrong."""
        begin, words = time.monotonic(), line.split()
        assigned = list(itertools.takewhile(re.compile("[A-Z_]+=").match, words))
        variables, words = dict(word.split("=", 1) for word in assigned), words[len(assigned):]
        if len(variables) < len(assigned):
            raise ValueError(f"one variable is set twice: {line}")
        if words[0] == "footprint":
            return footprint(self.build), Ran("", "", 0, "", "", "", (seed,))
        text = self.output(self.command(words), words[0] == "mpi", variables, seed)
        self.took[line] = time.monotonic() - begin
        if words[0] != "mpi":
            values = figures(text)
            return values, bench_ran(values, seed)
        ran = mpi_ran(text, seed)
        asked = (MACHINE, NETWORK, int(words[1]))
        if ran[:3] != asked:
            raise ValueError(f"seed {seed}: ran {ran[:3]} instead of {asked}")
        return mpi_figures(text), ran

    def output(self, command, with_errors, variables, seed):
        """What one run of a command prints."""
        given = {name: value for name, value in os.environ.items() if name not in unheeded()}
        environment = {"LWMPI_COMPUTE": "annotated", **given, **self.fixed, **variables,
                       "LWMPI_SEED": str(seed)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=environment) as process:
            self.started.add(process)
            if self.ended:
                process.terminate()
            try:
                said, complaints = process.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise ValueError(f"seed {seed}: did not end within {TIMEOUT} s") from None
            finally:
                self.started.discard(process)
        if process.returncode:
            raise ValueError(f"seed {seed}: ended with {process.returncode}: "
                             f"{complaints.strip()[-500:]}")
        return said + (complaints if with_errors else "")

    def measure(self, lines, seeds):
        """Yields (program, its Result or what went wrong) in the order of the programs, as they
        end; processors are busy across programs. Those that are the same run once. Who closes it
        before its end ends what runs."""
        pool, started = concurrent.futures.ThreadPoolExecutor(self.workers), {}
        try:
            for line in lines:
                if plain(line) not in started:
                    started[plain(line)] = [pool.submit(self.run, plain(line), seed)
                                            for seed in seeds[:most(plain(line))]]
            for line in lines:
                runs = started[plain(line)]
                try:
                    yield line, joined([run.result() for run in runs])
                except (OSError, ValueError, subprocess.SubprocessError) as problem:
                    for run in runs:
                        run.cancel()
                    yield line, problem
        except BaseException:  # Ctrl-C, or the generator is closed
            self.ended = True
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(self.started):
                process.terminate()
            raise
        finally:
            pool.shutdown()


def unheeded():
    """Variables of lwmpi in this process's environment that no program gets, as no label would say
    that it had them."""
    return sorted(name for name in os.environ
                  if name.startswith("LWMPI_") and name not in HEEDED)


def plain(line):
    """The program without what the machine file says anyway."""
    return line.replace("LWMPI_VARIANT=baseline ", "")


def most(line):
    """With how many seeds a program runs, at most."""
    alike = line.startswith(("footprint", BARE))  # with every seed
    if alike or "mpi " not in line:
        return 1 if alike else None
    return ANCESTOR_SEEDS if line.startswith(ANCESTOR) else MPI_SEEDS


def joined(runs):
    """The Result of a program's runs."""
    first, ran = runs[0]
    for values, each in runs:
        other = sorted(first.keys() ^ values.keys())
        if other:
            raise ValueError(f"seed {each.seeds[0]}: {other[0]!r} is not told with each seed")
    seeds = tuple(seed for _, each in runs for seed in each.seeds)
    return Result({name: ([values[name][0] for values, _ in runs], unit)
                   for name, (_, unit) in first.items()}, ran._replace(seeds=seeds))


def code(build, room, made="", leave_out=()):
    """Bytes of code and constants of a room's objects, made as a library of that name's end is."""
    objects = [path for path in glob.glob(os.path.join(build, room, "CMakeFiles",
                                                       f"lw_{room}{made}.dir", "**", "*.o"),
                                          recursive=True)
               if not any(part in path for part in leave_out)]
    if not objects:
        raise ValueError(f"no objects of lw_{room}{made} in {build}")
    out = subprocess.run(["size", *objects], capture_output=True, text=True, check=True).stdout
    return sum(int(cells[0]) + int(cells[1]) for cells in map(str.split, out.splitlines()[1:]))


def footprint(build):
    """Code of the kernel with and without all that makes tasks, of what services need, and of MPI
    as it is made for small memories."""
    tasks = ("/lw_kernel.dir/task/", "/lw_kernel.dir/ikc/flow")
    return {"kernel, baseline": (code(build, "kernel", leave_out=tasks), "B"),
            "kernel, full": (code(build, "kernel"), "B"),
            "services": (code(build, "services") + code(build, "sys") + code(build, "base"), "B"),
            "MPI": (sum(code(build, room, "_small") for room in ("mpiutil", "libmpi")), "B")}

# SPDX-License-Identifier: MIT
"""Runs of programs with many seeds, and what they say of each quantity.

A program is a line: assignments to environment variables, then the name of a benchmark with its
arguments, or "footprint", or "mpi", the number of ranks, options of mpiexec, "--", and the name of
an application with its arguments."""
import concurrent.futures
import csv
import glob
import math
import os
import re
import statistics
import subprocess

TIMEOUT = 120   # seconds for one run
MPI_SEEDS = 10  # at most, as in souto-2022, 5.2

# Two-sided 95 % quantiles of Student's distribution for 1, 2, ... degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
           2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
           2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def interval(values):
    """(mean, half the width of its 95 % confidence interval)."""
    mean, n = statistics.fmean(values), len(values)
    if n < 2:
        return mean, 0.0
    student = STUDENT[n - 2] if n - 2 < len(STUDENT) else 1.96
    return mean, student * statistics.stdev(values) / math.sqrt(n)


def figures(text):
    """{quantity: (value, unit)} of a benchmark's lines name,value,unit,target."""
    found = {}
    for cells in csv.reader(text.splitlines()):
        if len(cells) != 4:
            raise ValueError(f"printed {','.join(cells)!r} instead of name,value,unit,target")
        found[cells[0].strip()] = float(cells[1]), cells[2].strip()
    return found


def said(pattern, text):
    found = re.search(pattern, text, flags=re.M)
    if not found:
        raise ValueError(f"said nothing like {pattern!r}: {text.strip()[-300:]!r}")
    return float(found.group(1))


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
    return {**whole, "time": (said(r"; ([0-9.]+) s$", text), "s")}


class Runner:
    """Programs of one build."""

    def __init__(self, build, workers):
        self.build, self.workers = build, workers

    def command(self, words):
        """(argument list, what reads the output)."""
        if words[0] != "mpi":
            return [os.path.join(self.build, "bench", words[0]), *words[1:]], figures
        end = words.index("--")
        start = [os.path.join(self.build, "bin", "mpiexec"), "-n", words[1], "--machine",
                 "mppa256", "--ranks-per-cluster", "12", "--stats", *words[2:end]]
        return [*start, os.path.join(self.build, "bin", words[end + 1]),
                *words[end + 2:]], mpi_figures

    def run(self, line, seed):
        """{quantity: (value, unit)} of one run; raises ValueError with what went wrong."""
        words = line.split()
        variables = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
        words = words[len(variables):]
        if words[0] == "footprint":
            return footprint(self.build)
        command, read = self.command(words)
        return self.output(command, read, variables, seed)

    def output(self, command, read, variables, seed):
        """What `read` finds in the output of one run of a command."""
        environment = {"LWMPI_COMPUTE": "annotated", **os.environ, **variables,
                       "LWMPI_SEED": str(seed)}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                                  env=environment)
        except subprocess.TimeoutExpired:
            raise ValueError(f"seed {seed}: did not end within {TIMEOUT} s") from None
        if done.returncode:
            raise ValueError(f"seed {seed}: ended with {done.returncode}: "
                             f"{done.stderr.strip()[-500:]}")
        return read(done.stdout + (done.stderr if read is mpi_figures else ""))

    def measure(self, lines, seeds):
        """Yields (program, {quantity: ([value with each seed], unit)} or what went wrong) in the
        order of the programs, as they end; processors are busy across programs."""
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            started = [(line, [pool.submit(self.run, line, seed) for seed in seeds[:most(line)]])
                       for line in lines]
            for line, runs in started:
                try:
                    yield line, joined([run.result() for run in runs])
                except (OSError, ValueError) as problem:
                    for run in runs:
                        run.cancel()
                    yield line, problem


def most(line):
    """With how many seeds a program runs, at most."""
    return 1 if "footprint" in line else MPI_SEEDS if "mpi " in line else None


def joined(runs):
    return {name: ([found[name][0] for found in runs], unit)
            for name, (_, unit) in runs[0].items()}


def code(build, room, leave_out=()):
    """Bytes of code and constants of a room's objects."""
    objects = [path for path in glob.glob(os.path.join(build, room, "CMakeFiles", f"lw_{room}.dir",
                                                       "**", "*.o"), recursive=True)
               if not any(part in path for part in leave_out)]
    if not objects:
        raise ValueError(f"no objects of {room} in {build}")
    out = subprocess.run(["size", *objects], capture_output=True, text=True, check=True).stdout
    return sum(int(cells[0]) + int(cells[1]) for cells in map(str.split, out.splitlines()[1:]))


def footprint(build):
    """Code of the kernel with and without all that makes tasks, and of what services need."""
    tasks = ("/lw_kernel.dir/task/", "/lw_kernel.dir/ikc/flow")
    return {"kernel, baseline": (code(build, "kernel", tasks), "B"),
            "kernel, full": (code(build, "kernel"), "B"),
            "services": (code(build, "services") + code(build, "sys") + code(build, "base"), "B"),
            "MPI": (code(build, "mpiutil") + code(build, "libmpi"), "B")}

# SPDX-License-Identifier: MIT
"""What a rank's computation takes in virtual time (docs/compute.md): the ways to say it, and what
counting counts, by hand."""
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from launch import BIN, PATIENCE, PROBE, cases, expect, mpiexec

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compute")
MACHINES = os.environ["LWMPI_MACHINES"]
CLASSES = ("integer", "multiply", "divide", "memory", "float_add", "float_multiply", "float_divide",
           "branch")
WAYS = ("counted", "measured", "annotated", "none")
os.environ["LWMPI_MEMORY"] = "no"  # the kernels have 1 MB of variables: this is about time
TMP = tempfile.TemporaryDirectory()
del os.environ["LWMPI_COMPUTE"]


def build(name, *options, compiler="mpicc", env=(), sources=()):
    """A program of this folder, in a file of its own for these options."""
    out = os.path.join(tempfile.mkdtemp(dir=TMP.name), os.path.basename(name).split(".")[0])
    files = [s if s.startswith(("/", "-")) else os.path.join(HERE, s) for s in (name, *sources)]
    command = [os.path.join(BIN, compiler), *options, *files, "-o", out]
    r = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE,
                       env={**os.environ, **dict(env)}, cwd=os.path.dirname(out))
    if r.returncode != 0 or r.stderr != "":
        raise AssertionError("%s: %d\n%s" % (command, r.returncode, r.stderr))
    return out


def kernels(*options, **more):
    return build("kernels.c", "-O2", *options, sources=["kernels.S", "-lm"], **more)


def machine(name, **prices):
    """The machine mini, at these prices for computation, in cycles; those not named are 0."""
    path = os.path.join(TMP.name, name + ".machine")
    text = open(os.path.join(MACHINES, "mini.machine")).read()
    for c in CLASSES:
        text, n = re.subn(r"(?m)^compute\.%s_milli .*$" % c,
                          "compute.%s_milli = %s cycles" % (c, prices.get(c, 0)), text)
        expect(n == 1, c)
    with open(path, "w") as f:
        f.write(text)
    return path


def run(*args, **options):
    r = mpiexec(*args, **options)
    expect(r.code == 0, r)
    return r


def cycles(*args):
    """What a counted job computed."""
    r = run("--stats", *args)
    found = re.search(r"counted: (\d+) operations in (\d+) cycles", r.err)
    expect(found, r)
    return int(found.group(2))


def by_class(program, name, rounds):
    """Operations of each class that `rounds` more rounds of a kernel are."""
    out = {}
    for c in CLASSES:
        m = machine("only_" + c, **{c: 1})
        few, many = (cycles("--machine", m, program, name, n) for n in (10, 10 + rounds))
        if many != few:
            out[c] = (many - few) / rounds
    return out


def line(r):
    return [x for x in r.err.splitlines() if x.startswith("lwmpi: computation")]


# --- the ways ---

def measured_by_default():
    """Whoever else has the processor's caches and cycles meanwhile makes it more, never less."""
    def of_ranks(r):
        return [float(seconds) for _, seconds in sorted(map(str.split, r.lines))]

    program = build("ranks.c", "-O1")
    job = "-n", 2, "--machine", "mppa256", program, 20000000
    r = run(*job)
    expect(len(line(r)) == 1 and "measured: " in line(r)[0] and "other runs" in line(r)[0], r)
    least = [min(times) for times in zip(*(of_ranks(run(*job)) for _ in range(5)))]
    expect(least[0] > 0.02 and 1.2 < least[1] / least[0] < 3, (least, r))


def others_on_the_processor_are_not_measured():
    """What is measured is processor time, however long others have the processor meanwhile."""
    program = build("ranks.c", "-O1")
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(4 * len(os.sched_getaffinity(0)))]
    try:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        r = run("-n", 2, "--machine", "mini", "--stats", program, 100000000)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = float(re.search(r"measured: ([0-9.]+) s", r.err).group(1))
    expect(used / 2 < found < used * 1.05, "%s of %s s: %s" % (found, used, r))


def what_lies_between_calls_is_measured():
    """Short stretches and long ones, each or few among empty ones; what calls take is not."""
    program = build("stretches.c", "-O1")

    def told(rounds, every, ns):
        r = run("-n", 2, "--machine", "mppa256", "--stats", program, rounds, every, ns)
        return float(re.search(r"measured: ([0-9.]+) s", r.err).group(1)), float(r.lines[0])
    for rounds, every, ns in ((500, 1, 5000), (500, 1, 50000), (20000, 50, 5000)):
        found, computed = told(rounds, every, ns)
        expect(0.9 * computed < found < 1.3 * computed + 0.002, (rounds, every, found, computed))
    found, computed = told(50000, 100000, 0)
    expect(found < 0.01 and computed < 0.001, (found, computed))  # calls take 40 ms


def what_mpi_calls_computes_there():
    """Operations and error handlers of the program take their time where they are called."""
    for way, options in (("counted", ["--count"]), ("measured", [])):
        program = build("callbacks.c", "-O1", *options)
        r = run("-n", 4, "--machine", "mppa256", "--compute=" + way, program, 1000000)
        t = {x: float(us) for x, us in map(str.split, r.lines)}
        for what, least in ("local", 1), ("handler", 1), ("all", 2):  # a tree of 4 ranks: 2 in turn
            ratio = t[what] / t["loop"]
            expect(0.7 * least < ratio < 1.5 * least or way == "measured" and ratio > 0.7 * least,
                   (way, what, r))


def what_mpi_computes_by_hand():
    """It combines numbers as a counted loop would, and moves bytes at the price of a copy's."""
    program, n = build("callbacks.c", "-O1"), 3000
    prices = dict(integer=1, memory=3, float_add=7, float_multiply=20, branch=2)
    r = run("--machine", machine("combines", **prices), "--compute=annotated", program, n)
    cycles = {x: float(us) * 100 for x, us in map(str.split, r.lines)}  # mini: 100 MHz
    loop = 3 * 3 + 2 * 1 + 2
    copy = float(re.search(r"(?m)^cost.copy_byte_milli *= ([0-9.]+)",
                           open(os.path.join(MACHINES, "mini.machine")).read()).group(1))
    for what, each in ("sum", loop + 7), ("product", loop + 4 * 20 + 2 * 7), ("pack", 8 * copy):
        expect(0 <= cycles[what] - n * each < 100, (what, each, r))


def what_came_before_main_is_not_told():
    """It takes no time of the machine, so it is not in what is told of the computation."""
    program = build("early.c", "-O1", "--count")
    r = run("-n", 2, "--machine", "mppa256", "--stats", program)
    operations, cycles = map(int, re.search(r": (\d+) operations in (\d+) ", line(r)[0]).groups())
    expect(2000 < operations < 100000 and 0 < cycles < 2 * operations, r)
    r = run("-n", 2, "--machine", "mppa256", "--stats", "--compute=measured", program)
    found = float(re.search(r"measured: ([0-9.]+) s", r.err).group(1))
    expect(found < 0.001, r)


def who_asks_for_the_time_keeps_the_processor():
    """Ranks share libraries, whose locks may be held then; what came before main is nobody's."""
    library = TMP.name + "/liblocked.so"
    shutil.copy(build("locked.c", "-O1", "-shared", "-fPIC"), library)
    program = build("asks.c", "-O1", sources=[library, "-Wl,-rpath," + TMP.name])

    def began(way):
        r = run("-n", 3, "--machine", "mppa256", "--timeout", 20, "--compute=" + way, program)
        times = sorted(x.split() for x in r.lines)
        expect([x[0] for x in times] == ["0", "1", "2"], r)
        return times[:2]  # the last rank's variables are those of the process
    one, other = began("measured"), began("none")
    expect(one == other, (one, other))


def counted_if_it_can_be():
    program = build("ranks.c", "-O1", "--count")
    r = run("-n", 2, "--machine", "mppa256", program, 200000000)
    expect(r.err == "", r)  # nothing of it takes no time
    r = run("-n", 2, "--machine", "mppa256", "--stats", program)
    expect(len(line(r)) == 1 and "counted: " in line(r)[0], r)


def annotated_if_the_program_says_it():
    r = run("-n", 1, "--machine", "mppa256", "--stats", PROBE, "compute", 1)
    expect("annotated: " in line(r)[0] and "MPI_Pcontrol" in line(r)[0], r)


def the_choice_is_said():
    program = build("ranks.c", "-O1", "--count")
    for way in WAYS:
        r = run("-n", 2, "--machine", "mppa256", "--compute=" + way, "--stats", program)
        expect(len(line(r)) == 1 and " %s: " % way in line(r)[0], r)
        r = run("-n", 2, "--machine", "mppa256", program, env={**os.environ, "LWMPI_COMPUTE": way})
        expect((" %s: " % way in r.err) == (way in ("measured", "none")), r)
        profiled = run("-n", 2, "--machine", "mppa256", "--compute=" + way, "--profile", program)
        expect(len(line(profiled)) == 1 and " %s: " % way in line(profiled)[0], profiled)
        zero = all(x.endswith(" 0.000000000") for x in r.lines)
        expect(zero == (way in ("annotated", "none")), r)
    expect("communication only" in run("--machine", "mini", "--compute", "none", program).err, r)


def one_way_charges():
    """MPI_Pcontrol counts where it is asked for, and not beside another way."""
    def seconds(*options):
        r = run("-n", 2, "--machine", "mppa256", "--stats", *options, PROBE, "compute", 1)
        return float(re.search(r"time +([0-9.]+) s", r.err).group(1))
    took = seconds() - seconds("--compute=none")
    expect(abs(took - 1e6 / 400e6) < 1e-4, took)
    count = build("../probe.c", "-D_GNU_SOURCE", "-DPROGRAM=\"probe\"", "--count")
    r = run("--machine", "mppa256", "--stats", count, "compute", 1)
    expect("counted: " in line(r)[0], r)
    expect(float(re.search(r"time +([0-9.]+) s", r.err).group(1)) < took, r)


def refusals():
    program = build("ranks.c", "-O1")
    r = mpiexec("--machine", "mppa256", "--compute=counted", program)
    expect(r.code == 2 and "ranks was not built by mpicc --count" in r.err, r)
    r = mpiexec("--compute=counted", program)
    expect(r.code == 2 and "--compute is for machines in virtual time" in r.err, r)
    r = mpiexec("--machine", "mppa256", "--compute=conted", program)
    expect(r.code == 2 and "did you mean counted?" in r.err, r)
    r = mpiexec("--machine", "mppa256", program, env={**os.environ, "LWMPI_COMPUTE": "much"})
    expect(r.code == 2 and "LWMPI_COMPUTE=much: must be counted, measured" in r.err, r)
    r = subprocess.run([os.path.join(BIN, "mpicc"), "--count", "-static",
                        os.path.join(HERE, "ranks.c")], text=True, stderr=subprocess.PIPE,
                       check=False)
    expect(r.returncode == 1 and "without -static the program can be counted" in r.stderr, r.stderr)
    program = build("ranks.c", "-O1", "-static", env={"LWMPI_PORT": "sim"}.items())
    r = mpiexec("--machine", "mppa256", "--compute=measured", program)
    expect(r.code == 2 and "annotated and none are possible" in r.err, r)


def what_nobody_counts_is_named():
    library = build("ranks.c", "-O1", "-shared", "-fPIC", "-Dmain=slow")
    shutil.copy(library, TMP.name + "/libslow.so")
    source = TMP.name + "/calls.c"
    with open(source, "w") as f:
        f.write("int slow(int, char **);\nint main(int c, char **v) { return slow(c, v); }\n")
    program = build(source, "--count", sources=[TMP.name + "/libslow.so", "-Wl,-rpath," + TMP.name])
    r = run("--machine", "mppa256", program, 100000000)
    expect("libslow.so computed, too, which took no time" in r.err, r)


# --- counting ---

def kernels_by_hand():
    k = kernels("--count")
    known = {
        "integers": {"integer": 4, "multiply": 1, "memory": 4, "branch": 1},
        "divides": {"integer": 4, "divide": 1, "branch": 2},
        "scalars": {"integer": 2, "memory": 3, "float_add": 2, "float_multiply": 1,
                    "float_divide": 2, "branch": 1},
        "vectors": {"integer": 3, "memory": 4, "float_add": 2, "float_multiply": 4, "branch": 1},
        "crowded": {"integer": 1, "branch": 2},
        "strings": {"memory": 1},
        "prefixes": {"memory": 1},
        "searches": {"integer": 1, "memory": 1},
        "finds": {"integer": 4, "memory": 1, "branch": 1},
        "calls": {"integer": 2, "memory": 1, "branch": 4},
        "recurs": {"integer": 4, "branch": 3},
        "branches": {"integer": 3.5, "multiply": 0.5, "memory": 0.5, "float_add": 0.25,
                     "branch": 3},
        "apart": {"integer": 2, "multiply": 1, "branch": 3},
        "jumps": {"integer": 1, "branch": 1},
        "spared": {"integer": 1, "branch": 1},
    }
    for name, counts in known.items():
        got = by_class(k, name, 1000)
        expect(got == counts, "%s: %s, by hand %s" % (name, got, counts))


def every_round_counts():
    k, m = kernels("--count"), machine("ones", **{c: 1 for c in CLASSES})
    for name, each in (("integers", 10), ("jumps", 2), ("spared", 2), ("recurs", 7), ("apart", 6)):
        got = [cycles("--machine", m, k, name, n) for n in range(1, 11)]
        expect(got == [got[0] + each * i for i in range(10)], "%s: %s" % (name, got))


def library_functions():
    for options in (), ("-fno-plt",):
        k = kernels("--count", *options)
        expect(by_class(k, "copy", 8000) == {"memory": 2 / 8}, options)
        expect(by_class(k, "copy into room", 8000) == {"memory": 2 / 8}, options)
        sine = by_class(k, "sine", 1000)
        expect(sine["float_multiply"] >= 10 and sine["float_add"] >= 10, sine)


def functions_of_own_are_counted_once():
    got = by_class(kernels("--count"), "names", 1000)
    expect(set(got) == {"integer", "memory", "branch"} and sum(got.values()) < 12, got)


def assembly_of_another_syntax():
    got = by_class(kernels("--count"), "intel", 1000)
    expect("branch" in got and sum(got.values()) < 12, got)


def prices_add_up():
    k = kernels("--count")
    m = machine("several", integer=0.5, memory=3, branch=0.25, multiply=7)
    got = cycles("--machine", m, k, "integers", 1010) - cycles("--machine", m, k, "integers", 10)
    expect(abs(got - 1000 * (4 * 0.5 + 4 * 3 + 0.25 + 7)) <= 1, got)


def files_of_any_name():
    for name, text, good in (("a \"b\\c.s", "nop\n", True), ("d\"\\e.s", "none\n", False)):
        with open(os.path.join(TMP.name, name), "w") as f:
            f.write(text)
        r = subprocess.run([os.path.join(BIN, "mpicc"), "--count", "-c", name, "-o", "named.o"],
                           cwd=TMP.name, capture_output=True, text=True, timeout=PATIENCE)
        expect((r.returncode == 0) == good and good == (r.stderr == ""), r)
        expect(good or name + ":1: Error: no such instruction" in r.stderr, r)


def an_assembler_that_is_killed():
    killed, text = TMP.name + "/killed", TMP.name + "/any.s"
    with open(killed, "w") as f:
        f.write("#!/bin/sh\nkill -9 $$\n")
    os.chmod(killed, 0o755)
    with open(text, "w") as f:
        f.write("nop\n")
    r = subprocess.run([os.path.join(BIN, "../lib/count/as"), text], capture_output=True, text=True,
                       timeout=PATIENCE, env={**os.environ, "LWMPI_AS": killed})
    expect(r.returncode == 1 and killed + " was killed by signal 9" in r.stderr, r)


def same_every_time():
    program = build("ranks.c", "-O1", "--count")
    args = ("-n", 17, "--machine", "mppa256", "--stats", program)
    texts = set(re.sub(r"wall time.*", "", r.out + r.err) for r in (run(*args) for _ in range(3)))
    expect(len(texts) == 1, texts)
    times = dict((int(a), float(b)) for a, b in (x.split() for x in run(*args).lines))
    expect(all(abs(times[i] / times[0] - (i + 1)) < 0.01 for i in times), times)


def same_by_another_build():
    def ones(*options, **more):
        return cycles("-n", 3, "--machine", "mppa256", build("ranks.c", "-O2", *options, **more))
    first = ones("--count")
    expect(first == ones("--count") == ones("--count", "-g") == ones("--count", "-pipe"), first)


def compilers():
    """What programs print is the same, and so is their time in two runs."""
    ways = [("mpicc", "kernels.c", ["kernels.S", "-lm"], ["crowded", "1000"]),
            ("mpicxx", "sorts.cpp", [], []), ("mpifort", "solves.f90", [], [])]
    variables = {"mpicc": "LWMPI_CC", "mpicxx": "LWMPI_CXX", "mpifort": "LWMPI_FC"}
    others = {"mpicc": ["gcc", "gcc-11", "clang", "clang-14"], "mpifort": ["gfortran"],
              "mpicxx": ["g++", "g++-11", "clang++", "clang++-14"]}
    for wrapper, source, more, args in ways:
        for compiler in others[wrapper]:
            if shutil.which(compiler) is None:
                continue
            env = {variables[wrapper]: compiler}.items()
            for options in (["-O0"], ["-O2", "-g"], ["-O3"], ["-O2", "-flto"]):
                lacks = ["-flto"] if "clang" in compiler else []  # maybe a linker for it
                plain = build(source, *(o for o in options if o not in lacks), compiler=wrapper,
                              env=env, sources=more)
                count = build(source, "--count", *options, compiler=wrapper, env=env, sources=more)
                what = "%s %s %s" % (compiler, source, options)
                job = ("-n", 3, "--machine", "mppa256", "--compute=counted", count, *args)
                expect(cycles(*job) == cycles(*job) > 1000, what)
                expect(sorted(run(*job).lines) ==
                       sorted(run("-n", 3, plain, *args).lines), what)
                expect(sorted(run("-n", 3, count, *args).lines) == sorted(run(*job).lines), what)


def shared_libraries_and_several_programs():
    library = build("kernels.S", "--count", "-shared", "-fPIC")
    shutil.copy(library, TMP.name + "/libkernels.so")
    parted = build("kernels.c", "-O2", "--count", sources=[TMP.name + "/libkernels.so", "-lm",
                                                           "-Wl,-rpath," + TMP.name])
    whole = kernels("--count")
    m = machine("parted", memory=1)
    one, two = (cycles("-n", 3, "--machine", m, k, "integers", 5000) for k in (parted, whole))
    expect(abs(one - two) <= 100 and one >= 3 * 20000, (one, two))
    other = build("ranks.c", "-O1", "--count")
    both = cycles("-n", 1, "--machine", m, whole, "integers", 5000, ":", "-n", 1, other, 1000)
    alone = cycles("-n", 1, "--machine", m, whole, "integers", 5000)
    expect(4000 <= both - alone <= 4200, (both, alone))  # rank 1: 2000 rounds, a load and a store


def energy_by_hand():
    """A core that computes is busy, all others of the machine idle meanwhile."""
    k = kernels("--count")
    m = machine("energy", integer=1000)

    def joules(rounds):
        r = run("--stats", "--machine", m, k, "divides", rounds)
        return (int(re.search(r"(\d+) cycles at", r.err).group(1)),
                [float(x) for x in re.search(r"cores ([0-9.]+), NoC ([0-9.]+), static ([0-9.]+)",
                                             r.err).groups()])
    (t0, e0), (t1, e1) = joules(10), joules(100010)
    extra = 100000 * 4 * 1000 / 100e6  # seconds of the machine at 100 MHz
    expect(abs((t1 - t0) / 100e6 - extra) < 1e-6, (t0, t1))
    cores, watts = 3 * 4, 0.010  # mini: three clusters of four cores
    expect(abs(e1[0] - e0[0] - extra * (watts + (cores - 1) * 0.002)) < 1e-5, (e0, e1))
    expect(abs(e1[2] - e0[2] - extra * (3 * 0.020 + 0.050)) < 1e-5, (e0, e1))


cases(measured_by_default, what_mpi_calls_computes_there, what_mpi_computes_by_hand,
      what_lies_between_calls_is_measured, what_came_before_main_is_not_told,
      others_on_the_processor_are_not_measured,
      who_asks_for_the_time_keeps_the_processor, counted_if_it_can_be,
      annotated_if_the_program_says_it, the_choice_is_said, one_way_charges, refusals,
      what_nobody_counts_is_named, kernels_by_hand, every_round_counts, library_functions,
      functions_of_own_are_counted_once, assembly_of_another_syntax, prices_add_up,
      same_every_time, files_of_any_name, an_assembler_that_is_killed,
      same_by_another_build, compilers, shared_libraries_and_several_programs, energy_by_hand)

# SPDX-License-Identifier: MIT
"""Bad input: one clear line that says what, where and what is allowed; an exit code not 0."""
import os
import stat
import subprocess
import tempfile

from launch import MPIEXEC, PATIENCE, PROBE, PROGRAMS, cases, expect, mpiexec

# arguments, then words that the one line must contain
TABLE = [
    ("-n 0 {probe}", "-n 0", "from 1"),
    ("-n -3 {probe}", "-n -3", "from 1"),
    ("-n abc {probe}", "-n abc", "whole number"),
    ("-n 3x {probe}", "-n 3x", "whole number"),
    ("-n 99999999999999999999 {probe}", "-n 9999", "whole number"),
    ("-n", "missing argument", "-n N"),
    ("", "no program", "usage"),
    ("-n 2", "no program", "usage"),
    ("--", "no program", "usage"),
    ("--machin mini {probe}", "unknown option --machin", "did you mean --machine?"),
    ("--rank-per-cluster 2 {probe}", "did you mean --ranks-per-cluster?"),
    ("--timeuot 2 {probe}", "did you mean --timeout?"),
    ("--qqqqqqqq {probe}", "unknown option --qqqqqqqq", "--help"),
    ("--foo {probe}", "unknown option --foo;", "--help"),
    ("-outfile out {probe}", "unknown option -outfile;", "did you mean -outfile-pattern?"),
    ("--errfile=out {probe}", "did you mean -errfile-pattern?"),
    ("--mach mini {probe}", "did you mean --machine?"),
    ("--mem no {probe}", "did you mean --memory?"),
    ("--ran 2 {probe}", "did you mean --ranks-per-cluster?"),
    ("--bind-too core {probe}", "did you mean --bind-to?"),
    ("-e A=1 {probe}", "unknown option -e;", "--help"),
    ("-n 1 {probe} :", "no program", "on one side of ':'"),
    (": -n 1 {probe}", "no program", "on one side of ':'"),
    ("-n 1 {probe} : -n 0 {probe}", "-n 0", "from 1"),
    ("-n 600 {probe} : -n 600 {probe}", "1200 ranks", "1024"),
    ("--machine mini {probe} : -env A 1 {probe}", "-env", "-genv", "share"),
    ("--machine mini {probe} : -wdir / {probe}", "--wdir", "share"),
    ("-configfile {tmp}/none", "none", "No such file"),
    ("-configfile {tmp}/plain.txt {probe}", "plain.txt", "command line"),
    ("-configfile {tmp}/empty", "empty", "no program in this file"),
    ("-configfile {tmp}/quote", "quote:2", "not closed"),
    ("-configfile {tmp}/lines", "lines:3", "not closed"),
    ("-configfile {tmp}/bare", "{tmp}/bare:4: no program in this line", "-n 2 program"),
    ("-configfile {tmp}/tail", "{tmp}/tail:2: no program in this line"),
    ("-configfile {tmp}/option", "{tmp}/option:3: unknown option --machin"),
    ("-configfile {tmp}/ranks", "{tmp}/ranks:1: -n 0", "from 1"),
    ("-configfile {tmp}/again", "-configfile in the file"),
    ("-outfile-pattern {tmp}/no/out {probe}", "no/out", "rank 0", "No such file"),
    ("-outfile-pattern {tmp}/out.%q {probe}", "out.%q", "before r, h, p, g"),
    ("--bind-to cores {probe}", "cores", "hwthread", "did you mean core?"),
    ("--map-by socket:pe=0 {probe}", "pe", "from 1"),
    ("--map-by socket:quick {probe}", "quick", "pe=N"),
    ("--map-by ppr:2:socket {probe}", "ppr:N:node"),
    ("--nooversubscribe -n 900 {probe}", "900 ranks", "processors"),
    ("--io-rank --machine pulp {probe}", "pulp", "no I/O cluster"),
    ("--io-rank {probe} : --io-rank {probe}", "one I/O rank"),
    ("-host here,elsewhere.org:2 -n 2 {probe}", "-host", "here", "not this computer"),
    ("-host localhost:2x {probe}", "localhost:2x", "how many ranks"),
    ("-host localhost: {probe}", "localhost:", "how many ranks"),
    ("-host localhost,elsewhere.org:2 {probe}", "elsewhere.org is not", "localhost"),
    ("-host , {probe}", "not this computer"),
    ("-f {tmp}/hosts {probe}", "{tmp}/hosts", "elsewhere is not"),
    ("-machinefile {tmp}/none {probe}", "{tmp}/none", "No such file"),
    ("-hostfile {tmp} {probe}", "-hostfile {tmp}", "directory"),
    ("--mca btl", "--mca", "missing argument"),
    ("-envnone {probe}", "-envnone", "other launchers", "env -i"),
    ("--rank-by core {probe}", "--rank-by", "other launchers", "--map"),
    ("--bind-to-core {probe}", "other launchers", "--bind-to core"),
    ("-pernode {probe}", "other launchers", "-ppn 1"),
    ("--app f {probe}", "other launchers", "-configfile"),
    ("-rf f {probe}", "other launchers", "--map-by"),
    ("-gdb {probe}", "other launchers", "gdb --args"),
    ("-maxtime 3 {probe}", "other launchers", "--timeout"),
    ("--output tag {probe}", "other launchers", "-outfile-pattern"),
    ("--arch", "--arch", "missing argument"),
    ("-usize lots {probe}", "lots", "infinite"),
    ("-usize 0 {probe}", "-usize 0", "from 1"),
    ("--stats=2 {probe}", "--stats takes no value"),
    ("--check=maybe {probe}", "--check=maybe", "yes or no"),
    ("--map foo {probe}", "--map foo", "compact or scatter"),
    ("--map compat {probe}", "did you mean compact?"),
    ("--noc wormhole {probe}", "--noc", "virtual time", "--machine"),
    ("--noc wurmhole --machine mini {probe}", "fluid, packet or wormhole", "mean wormhole?"),
    ("--set hz=1MHz {probe}", "--set", "virtual time", "--machine"),
    ("--set noc.link=8 --machine mini {probe}", "--set: noc.link: no such key", "noc.link_bytes"),
    ("--set noc.link_bytes=x --machine mini {probe}", "not a number", "1 B/cycle"),
    ("--set threads --machine mini {probe}", "--set: \"threads\"", "KEY=VALUE"),
    ("--set= --machine mini {probe}", "--set: \"\"", "KEY=VALUE"),
    ("--seed x --machine mini {probe}", "--seed x", "whole number"),
    ("--timeout soon {probe}", "--timeout soon", "seconds"),
    ("--timeout 0 {probe}", "--timeout 0", "seconds"),
    ("--timeout nan {probe}", "--timeout nan", "seconds"),
    ("--timeout 1e9 {probe}", "--timeout 1e9", "10000000 at most"),
    ("--seed 99999999999999999999 --machine mini {probe}", "from 0 to 18446744073709551615"),
    ("--trace {tmp}/t --report {tmp}/t {probe}", "--report", "--trace writes to this file, too"),
    ("--machine mini --memory-map {tmp}/t --heat {tmp}/t {probe}", "--heat writes to this file"),
    ("--machine mini --sweep hz=1MHz --heat {tmp}/t --chart {tmp}/t {probe}", "--chart", "too"),
    ("--machine mppa256 --faster 1:0 {probe}", "--faster 1:0", "how many times as fast"),
    ("--machine mppa256 --faster x {probe}", "--faster x", "must be a rank"),
    ("--faster 1 {probe}", "--faster", "virtual time"),
    ("--prove {probe}", "--prove", "virtual time"),
    ("--report /no/such/folder/r.html {probe}", "/no/such/folder/r.html", "No such file"),
    ("--against /dev/null {probe}", "/dev/null", "no report of mpiexec"),
    ("--against /nowhere.html {probe}", "/nowhere.html", "No such file"),
    ("--trace /no/such/folder/t.json {probe}", "/no/such/folder/t.json", "No such file"),
    ("--heat /no/such/h.svg --machine mini {probe}", "/no/such/h.svg", "cannot write"),
    ("--wdir /no/such {probe}", "--wdir /no/such", "No such file"),
    ("-x =1 {probe}", "-x =1", "NAME=VALUE"),
    ("-env =B {probe}", "-env", "empty"),
    ("--machine nosuch {probe}", "nosuch", "mppa256", "mini"),
    ("--machine {tmp}/none.machine {probe}", "none.machine"),
    ("--machine {tmp}/bad.machine {probe}", "bad.machine:1", "quux"),
    ("-n 300 --machine mppa256 {probe}", "300 ranks", "256"),
    ("-n 3 --machine mini --ranks-per-cluster 1 {probe}", "3 ranks", "2"),
    ("-n 9 --machine mini --ranks-per-cluster 9999 {probe}", "9999", "at most"),
    ("-n 2000 {probe}", "2000", "1024", "--ranks-per-cluster"),
    ("-n 2000 --ranks-per-cluster 2000 {probe}", "2000", "at most"),
    ("-n 2 ./no-such-program", "./no-such-program", "No such file"),
    ("-n 2 no-such-program", "no-such-program", "PATH"),
    ("-n 2 {tmp}", "directory"),
    ("-n 2 {tmp}/plain.txt", "plain.txt", "not executable"),
    ("-n 2 {tmp}/garbage", "garbage", "cannot start", "nor a script"),
    ("-n 2 {tmp}/lost", "lost", "cannot start", "interpreter"),
    ("--machine mini hostname", "hostname", "does not use MPI", "mpicc"),
    ("-n 2 --ranks-per-cluster 2 hostname", "does not use MPI", "--ranks-per-cluster"),
]


def make_files(tmp):
    with open(tmp + "/bad.machine", "w") as f:
        f.write("quux = 3\n")
    for name, text in (("hosts", "# ours\nlocalhost slots=2\n elsewhere:3\n"),
                       ("empty", "# nothing\n\n"), ("quote", "-n 1\n'a"), ("lines", "'a\n\nb' 'c"),
                       ("bare", "-n 1 'a\nb'\n\n-n 2 -env A 1\n-n 1 c"), ("tail", "\na :"),
                       ("option", "a\n-n 1 \\\n--machin mini b"), ("ranks", "-n 0 a"),
                       ("again", "-configfile x -n 1 a")):
        with open(tmp + "/" + name, "w") as f:
            f.write(text)
    with open(tmp + "/plain.txt", "w") as f:
        f.write("text\n")
    with open(tmp + "/garbage", "wb") as f:
        f.write(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4)
    with open(tmp + "/lost", "w") as f:
        f.write("#!/no/such/shell\n")
    for name in ("garbage", "lost"):
        os.chmod(tmp + "/" + name, 0o755)


def one_clear_line():
    with tempfile.TemporaryDirectory() as tmp:
        make_files(tmp)
        for args, *words in TABLE:
            r = mpiexec(*(a.format(probe=PROBE, tmp=tmp) for a in args.split()))
            expect(r.code != 0, "%s: %s" % (args, r))
            expect(r.err.count("\n") == 1 and r.out == "", "%s: %s" % (args, r))
            for word in words:
                word = word.format(tmp=tmp)
                expect(word in r.err, "%s: no '%s' in %s" % (args, word, r.err))


def a_program_in_this_folder_is_suggested():
    r = mpiexec("-n", 1, "probe", cwd=PROGRAMS)
    expect(r.code == 127 and "did you mean ./probe?" in r.err, r)


def environment_is_checked_too():
    for name, value in (("LWMPI_SIZE", "many"), ("LWMPI_MAP", "round"), ("LWMPI_LABEL", "7"),
                        ("LWMPI_JOB", "999:0"), ("LWMPI_JOB", "0:0"), ("LWMPI_JOB", "x"),
                        ("LWMPI_FASTER", ":2"), ("LWMPI_FASTER", "0:18446744073709552"),
                        ("LWMPI_FASTER", "0:-1"), ("LWMPI_BREAK", ":2"), ("LWMPI_BREAK", "1:2")):
        r = subprocess.run([PROBE, "hello"], env={**os.environ, name: value}, text=True,
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        expect(r.returncode != 0 and name in r.stderr and r.stderr.count("\n") == 1, r)


def variables_that_are_empty_are_not_set():
    names = ("LWMPI_SIZE", "LWMPI_MAP", "LWMPI_LABEL", "LWMPI_MEMORY", "LWMPI_FASTER",
             "LWMPI_BREAK")
    r = run_by(dict.fromkeys(names, ""), PROBE, "hello")
    expect(r.returncode == 0 and r.stdout == "rank 0 of 1\n" and r.stderr == "", r)


def one_program_of_several():
    r = run_by({"LWMPI_PROGRAMS": "1:2:1:p1:q"}, PROBE, "hello")
    expect(r.returncode == 0 and r.stdout == "rank 0 of 1\n" and r.stderr == "", r)


def variable_that_is_not_set():
    """As with Open MPI: job scripts name what may be set."""
    r = mpiexec("-x", "NOT_SET_ANYWHERE", "-n", 2, PROBE, "hello")
    expect(r.code == 0 and len(r.lines) == 2 and r.err.count("\n") == 1, r)
    expect("NOT_SET_ANYWHERE" in r.err and "not set" in r.err, r)


def run_by(launcher, *command):
    if isinstance(launcher, str):
        launcher = dict(word.split("=") for word in launcher.split())
    return subprocess.run(command, env={**os.environ, **launcher}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)


def another_launcher_is_named():
    """Its tasks would be jobs of one rank each. What only runs inside an allocation is no task."""
    for launcher, name in (("PMI_RANK=1 PMI_SIZE=4", "MPICH"),
                           ("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4", "Open MPI"),
                           ("SLURM_NTASKS=4 SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4", "Slurm"),
                           ("FLUX_TASK_RANK=0 FLUX_JOB_SIZE=4", "Flux")):
        r = run_by(launcher, PROBE, "hello")
        expect(r.returncode == 2 and r.stdout == "" and r.stderr.count("\n") == 1, r)
        expect(name in r.stderr and "mpiexec -n 4" in r.stderr, r)
        expect("LWMPI_ALLOW_SINGLETON=1" in r.stderr, r)
        r = run_by(launcher + " LWMPI_ALLOW_SINGLETON=1", PROBE, "hello")
        expect(r.returncode == 0 and r.stdout == "rank 0 of 1\n", r)
        for way in (["-n", "2"], ["-n", "2", "--machine", "mini"]):
            r = run_by(launcher, MPIEXEC, *way, PROBE, "hello")
            expect(r.returncode == 0 and r.stderr == "", r)
            r = run_by(launcher, MPIEXEC, *way, PROBE, "start")
            expect(r.returncode == 0 and r.stdout == "rank 0 of 1\n", r)
    for around in ("SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_JOB_ID=7", "PMI_RANK=0 PMI_SIZE=1",
                   "SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1", "PMIX_RANK=0"):
        r = run_by(around, PROBE, "hello")
        expect(r.returncode == 0 and r.stdout == "rank 0 of 1\n", r)


def head_of_a_program():
    with open(PROBE, "rb") as f:
        whole = f.read()
    with tempfile.TemporaryDirectory() as tmp:
        with open(tmp + "/head", "wb") as f:
            f.write(whole[:600])
        os.chmod(tmp + "/head", 0o755)
        r = mpiexec("-n", 2, tmp + "/head")
        expect(r.code != 0 and "mpiexec: " in r.err, r)


def scripts_run():
    with tempfile.TemporaryDirectory() as tmp:
        path = tmp + "/script"
        with open(path, "w") as f:
            f.write("#!/bin/sh\nexec '%s' hello\n" % PROBE)
        os.chmod(path, stat.S_IRWXU)
        for machine in ("linux", "mini"):
            r = mpiexec("-n", 2, "--machine", machine, path)
            expect(r.code == 0 and sorted(r.lines) == ["rank 0 of 2", "rank 1 of 2"], r)


cases(one_clear_line, a_program_in_this_folder_is_suggested, environment_is_checked_too,
      variables_that_are_empty_are_not_set, one_program_of_several,
      variable_that_is_not_set, another_launcher_is_named,
      head_of_a_program, scripts_run)

# SPDX-License-Identifier: MIT
"""Options that users of other launchers bring along, and jobs of several programs."""
import os
import re
import signal
import socket
import subprocess
import tempfile
import time

from launch import (BIN, MPIEXEC, PROBE, PROGRAMS, alive, cases, descendants, expect, finish,
                    mpiexec, start)

SECOND = os.path.join(PROGRAMS, "second")
# Ranks as processes, ranks sharing processes, ranks sharing one process in virtual time.
WAYS = ([], ["--ranks-per-cluster", 2], ["--machine", "mppa256"])
LINE = re.compile(r"(\d+) (\w+) program (\d+) universe (-?\d+) sum (\d+) folder (.*) "
                  r"variable (\S+) argument (\S+) processors (\S+)")


def about(*args, **options):
    """What each rank says of itself, in order of ranks."""
    r = mpiexec(*args, **options)
    found = sorted(map(LINE.fullmatch, r.lines), key=lambda m: int(m.group(1)))
    expect(r.code == 0 and r.err == "", r)
    return [m.groups() for m in found]


def several_programs_are_one_world():
    for way in WAYS:
        ranks = about(*way, "-n", 2, PROBE, "about", "a", ":", "-n", 1, SECOND, "about", "b", ":",
                      "-n", 2, PROBE, "about", "c")
        want = [("probe", "0", "a")] * 2 + [("second", "1", "b")] + [("probe", "2", "c")] * 2
        expect([(r[1], r[2], r[7]) for r in ranks] == want, ranks)
        expect(all(r[4] == "31" for r in ranks), ranks)  # all five took part in the reduction


def each_program_has_its_own_variables_and_folder():
    ranks = about("-genv", "PROBE", "all", "-n", 1, "-env", "PROBE", "1", PROBE, "about", ":",
                  "-n", 1, "-wdir", "/usr", SECOND, "about")
    expect([r[6] for r in ranks] == ["1", "all"], ranks)
    expect(ranks[1][5] == "/usr" and ranks[0][5] != "/usr", ranks)
    for way in WAYS:
        ranks = about(*way, "-n", 2, "-env", "PROBE", "5", "-wdir", "/usr", PROBE, "about")
        expect([(r[5], r[6]) for r in ranks] == [("/usr", "5")] * 2, ranks)
        for option in "-x", "-env", "-genv":
            ranks = about(*way, "-n", 2, option, "PROBE=6=7", PROBE, "about")
            expect([r[6] for r in ranks] == ["6=7"] * 2, ranks)


def libraries_of_one_program_come_behind_those_of_mpi():
    """Otherwise the library of linux would be found in virtual time."""
    for way in WAYS:
        ranks = about(*way, "-n", 2, "-env", "LD_LIBRARY_PATH", "/nowhere", PROBE, "about")
        expect(len(ranks) == 2, ranks)


def a_folder_that_only_leads_to_others():
    """Who is not root may not read it."""
    with tempfile.TemporaryDirectory() as tmp:
        os.mkdir(tmp + "/sub")
        os.chmod(tmp, 0o111)
        nobody = {"user": 65534} if os.getuid() == 0 else {}
        try:
            r = mpiexec("-n", 2, "-wdir", "sub", "pwd", cwd=tmp, **nobody)
            expect(r.code == 0 and r.lines == [tmp + "/sub"] * 2, r)
        except PermissionError:
            pass  # mpiexec itself lies where only root comes
        os.chmod(tmp, 0o700)


def of_two_values_the_last_one_counts():
    for more in ((), (":", "-n", 1, "true")):
        r = mpiexec("-n", 1, "-env", "PROBE", "1", "-env", "PROBE2", "3", "-env", "PROBE=2", "env",
                    *more)
        expect([x for x in r.lines if x.startswith("PROBE")] == ["PROBE=2", "PROBE2=3"], r)


def programs_from_a_file():
    with tempfile.TemporaryDirectory() as tmp:
        path = tmp + "/two programs"
        with open(path, "w") as f:
            f.write("# first\n-n 2 '%s' about \"a\"b\n\n-n 1 \\\n \"%s\" about c # last\n"
                    % (PROBE, SECOND))
        for way in WAYS:
            ranks = about(*way, "-configfile", path)
            expect([(r[1], r[7]) for r in ranks] ==
                   [("probe", "ab"), ("probe", "ab"), ("second", "c")], ranks)


def quotes_of_the_file_are_those_of_a_shell():
    words = r'''"a\b\n" "q\"\$\\" 'c\d' e\ f "g\
h" "i'j"'''
    with tempfile.TemporaryDirectory() as tmp:
        with open(tmp + "/file", "w") as f:
            f.write("-n 1 printf %s/ " + words)
        r = mpiexec("-configfile", tmp + "/file")
    shell = subprocess.run(["sh", "-c", "printf %s/ " + words], capture_output=True, text=True)
    expect(r.code == 0 and r.out == shell.stdout, "%s, in a shell %s" % (r, shell.stdout))


def thresholds_of_this_processor():
    with tempfile.TemporaryDirectory() as tmp:
        path = tmp + "/a.tuning"

        def told(text, *more, ranks=1):
            with open(path, "w") as f:
                f.write(text)
            r = mpiexec("-n", ranks, "sh", "-c", "echo $LWMPI_EAGER_LIMIT,$LWMPI_SINGLE_COPY",
                        env={**os.environ, "LWMPI_TUNING": path, **dict(more)})
            return r.code, r.out.strip(), r.err

        section = "[%s]\n LWMPI_EAGER_LIMIT = 4 KB # why\nLWMPI_SINGLE_COPY=8 KB\n"
        expect(told(section % "Nobody-*" + section % "*")[:2] == (0, "4 KB,8 KB"),
               "the first one that fits")
        expect(told("[*]\nLWMPI_EAGER_LIMIT = 1 KB\n" + section % "*")[:2] == (0, "1 KB,"),
               "one section only")
        expect(told(section % "*", ("LWMPI_EAGER_LIMIT", "3"))[:2] == (0, "3,8 KB"), "what is set")
        shared = section % "*-shared"
        expect(told(shared)[:2] == (0, ","), "one rank has a processor of its own")
        more = 1 + len(os.sched_getaffinity(0))
        expect(told(shared, ranks=more)[1].split("\n") == ["4 KB,8 KB"] * more,
               "more ranks than processors share them")
        for wrong, line in ("\nPATH = /\n", 2), ("[*]\n\nLWMPI_EAGER_LIMIT 4\n", 3):
            code, _, err = told(wrong)
            expect(code == 2 and "a.tuning:%d: " % line in err, err)
        code, _, err = told("", ("LWMPI_TUNING", tmp + "/none"))
        expect(code == 2 and "/none: " in err and "processors.tuning" in err, err)
        code, _, err = told("", ("LWMPI_TUNING", tmp))
        expect(code == 2 and tmp + ": Is a directory" in err, err)


def path_is_searched_first():
    ranks = about("-path", "/no/such:" + PROGRAMS, "-n", 2, "second", "about")
    expect([r[1] for r in ranks] == ["second"] * 2, ranks)
    for folders in (":/usr/bin", "/usr/bin::/bin", "/usr/bin:"):  # an empty one is the current one
        ranks = about("-n", 1, "second", "about", cwd=PROGRAMS,
                      env={**os.environ, "PATH": folders})
        expect([r[1] for r in ranks] == ["second"], ranks)


def io_rank():
    for way in WAYS:
        r = mpiexec(*way, "--io-rank", SECOND, "chip", ":", "-n", 3, PROBE, "chip")
        want = ["%d probe world 3" % i for i in range(3)] + ["3 second world 1"]
        expect(r.code == 0 and r.err == "" and sorted(r.lines) == want, r)
        r = mpiexec(*way, "-l", "-n", 2, "--io-rank", PROBE, "chip")
        want = ["[%d] %d probe world 2" % (i, i) for i in range(2)] + ["[2] 2 probe world 1"]
        expect(r.code == 0 and sorted(r.lines) == want, r)
        r = mpiexec(*way, "-n", 2, "--io-rank", PROBE, "quit", 6, 0)
        expect(r.code == 6 and re.search("rank [02]", r.err), r)


def hosts_are_this_one():
    own = socket.gethostname()
    with tempfile.TemporaryDirectory() as tmp:
        with open(tmp + "/hosts", "w") as f:
            f.write("# ours\nlocalhost slots=4\n\n%s:2 # and this%s\n" % (own, " word" * 1000))
        for option, value in (("-host", "localhost:4," + own), ("-hosts", "127.0.0.1"),
                              ("-H", own.split(".")[0].upper()), ("-f", tmp + "/hosts"),
                              ("--hostfile", tmp + "/hosts"), ("-machinefile", tmp + "/hosts")):
            ranks = about(option, value, "-n", 2, PROBE, "about")
            expect([r[1] for r in ranks] == ["probe"] * 2, ranks)


def universe():
    for way in WAYS:
        for size, want in (("7", "7"), ("infinite", "-1"), ("SYSTEM", "3")):
            ranks = about(*way, "-n", 3, "-usize", size, PROBE, "about")
            expect([r[3] for r in ranks] == [want] * 3, ranks)


def processors(text):
    return frozenset(map(int, text.split(",")))


def cores():
    """The processors that this test may use, one set per core."""
    found = []
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            with open("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list" % cpu) as f:
                text = f.read()
        except OSError:
            text = str(cpu)
        core = set()
        for piece in text.strip().split(","):
            low, _, high = piece.partition("-")
            core |= set(range(int(low), int(high or low) + 1))
        core &= os.sched_getaffinity(0)
        if core not in found:
            found.append(core)
    return found


def binding_binds():
    all_cores = cores()
    for n in (1, 2, 5):
        ranks = about("-n", n, "-bind-to", "core", PROBE, "about")
        want = [all_cores[i % len(all_cores)] for i in range(n)]
        expect([processors(r[8]) for r in ranks] == want, "%s, not %s" % (ranks, want))
    everything = frozenset(os.sched_getaffinity(0))
    for option in (["--bind-to", "none"], ["--bind-to", "board"], ["-map-by", "node"]):
        ranks = about("-n", 2, *option, PROBE, "about")
        expect(all(processors(r[8]) == everything for r in ranks), "%s: %s" % (option, ranks))
    ranks = about("-n", 2, "-map-by", "core:pe=2", "-bind-to", "core", PROBE, "about")
    want = [all_cores[2 * i % len(all_cores)] | all_cores[(2 * i + 1) % len(all_cores)]
            for i in range(2)]
    expect([processors(r[8]) for r in ranks] == want, "%s, not %s" % (ranks, want))
    for part in ("hwthread", "l2cache", "l3cache", "numa", "socket"):
        ranks = about("-n", 3, "-map-by", part, "-bind-to", part, PROBE, "about")
        expect(all(processors(r[8]) <= everything for r in ranks), "%s: %s" % (part, ranks))
    r = mpiexec("-n", 2, "--ranks-per-cluster", 2, "-map-by", "core", PROBE, "abort", 3, 1)
    expect("cluster 0 core 0: rank 1 called" in r.err, r)  # both ranks are of the only core
    about("-n", 3, "-bind-to", "core", "-map-by", "socket", "--machine", "mini", PROBE, "about")


def files_of_ranks():
    for way in WAYS:
        with tempfile.TemporaryDirectory(suffix="%r 100%") as tmp:
            for _ in range(2):  # what was in the files before goes
                r = mpiexec(*way, "-n", 3, "-outfile-pattern", "out.%r", "-errfile-pattern",
                            "err.%r.%%", PROBE, "pieces", 4, cwd=tmp)
                expect(r.code == 0 and r.out == r.err == "", r)
            for rank in range(3):
                with open("%s/out.%d" % (tmp, rank)) as f:
                    text = f.read()
                lines = ["<%d %d %d>" % (rank, i, rank) for i in range(4)] + ["[%d" % rank]
                expect(text.split("\n") == lines, "%s: %s" % (way, text))
                with open("%s/err.%d.%%" % (tmp, rank)) as f:
                    expect(f.read() == "(%d)\n" % rank * 4, way)


def files_of_ranks_stay_if_one_cannot_be_written():
    with tempfile.TemporaryDirectory() as tmp:
        first = os.path.join(tmp, "0.out")
        with open(first, "w") as f:
            f.write("old")
        os.mkdir(os.path.join(tmp, "1.out"))
        for way in WAYS:
            r = mpiexec(*way, "-outfile-pattern", os.path.join(tmp, "%r.out"), "-n", 2, PROBE,
                        "hello")
            expect(r.code == 2 and "rank 1: Is a directory" in r.err, r)
            with open(first) as f:
                expect(f.read() == "old", r)


def exit_codes_are_printed():
    for way in WAYS:
        r = mpiexec(*way, "-n", 4, "-print-all-exitcodes", PROBE, "exit", 7, 2)
        codes = re.findall(r"exit codes of ranks \d+-\d+: (\S+)", r.err)
        expect(r.code == 7 and sorted(codes) in (["0,0,7,0"], ["0,0", "7,0"]), r)


def options_of_other_launchers():
    for way in WAYS:
        r = mpiexec(*way, "--oversubscribe", "--allow-run-as-root", "-ppn", 4, "-genvall", "-np", 2,
                    PROBE, "hello")
        expect(r.code == 0 and sorted(r.lines) == ["rank 0 of 2", "rank 1 of 2"], r)
    r = mpiexec("-n", 3, "-ppn", 2, "--machine", "mini", "--stats", PROBE, "hello")
    expect(r.code == 0 and "at most 2 in each" in r.err, r)
    r = mpiexec("-n", 4, "-map-by", "node", "--machine", "mppa256", "--stats", PROBE, "hello")
    expect(r.code == 0 and "scatter" in r.err, r)
    r = mpiexec("-n", 2, "-verbose", "-bind-to", "core", PROBE, "hello")
    expect(r.code == 0 and re.search(r"rank 0: process \d+, .+probe, processors \d", r.err), r)
    r = mpiexec("--mca", "btl", "self,vader", "-iface=lo", "--report-bindings", "-q",
                "-demux", "poll", "-arch", "x86_64", "-n", 2, PROBE, "hello")
    told = r.err.splitlines()
    expect(r.code == 0 and len(r.lines) == 2 and len(told) == 5, r)
    expect(all("ignored" in line for line in told) and "LWMPI_" in told[0], r)


def timeout_from_the_environment():
    for way in WAYS:
        r = mpiexec(*way, "-n", 2, PROBE, "loop",
                    env={**os.environ, "MPIEXEC_TIMEOUT": "0.5"})
        expect(r.code == 124 and "time-out" in r.err, r)


def services_of_a_job_without_mpi():
    """Nobody comes to meet the process of the services, which is no error."""
    for n in (1, 2):
        r = mpiexec("--services", "-n", n, "/bin/true")
        expect(r.code == 0 and r.err == "", r)


def signals_that_the_caller_ignores():
    """nohup, and what a script runs in the background."""
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for way in WAYS:
        p = start(*way, "-n", 2, PROBE, "loop", stdin=subprocess.DEVNULL, preexec_fn=ignore)
        for _ in range(2):
            p.stdout.readline()
        pids = descendants(p.pid)
        for number in (signal.SIGHUP, signal.SIGINT):
            p.send_signal(number)
        time.sleep(0.2)  # what would end it had time
        expect(all(map(alive, pids)) and p.poll() is None, pids)
        p.send_signal(signal.SIGTERM)
        r = finish(p, time.time())
        expect(r.code == 143 and "signal 15" in r.err, r)


def rank_in_the_environment():
    """Where a process is one rank, also before MPI_Init; not of what another program started."""
    names = ("LWMPI_RANK", "LWMPI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS")
    r = mpiexec("-n", 3, PROBE, "variables", *names)
    expect(r.code == 0 and sorted(r.lines) == ["%d: %d 3 %d 3" % (i, i, i) for i in range(3)], r)
    early = " ".join("$" + name for name in names)
    for command, want in ((["-n", 2], ["0 2 0 2", "1 2 1 2"]),
                          (["-n", 1, "--io-rank"], ["0 1 0 2", "1 1 1 2"])):
        r = mpiexec(*command, "sh", "-c", "echo %s; exec '%s' hello >/dev/null" % (early, PROBE))
        expect(r.code == 0 and sorted(r.lines) == want, r)
    for way in WAYS[1:]:
        r = mpiexec(*way, "-n", 4, PROBE, "variables", *names)
        expect(r.code == 0 and sorted(r.lines) == ["%d: - - - -" % i for i in range(4)], r)
    for way in WAYS:
        inner = " ".join(["'%s' -n 2" % MPIEXEC, *map(str, way),
                          "'%s' variables LWMPI_RANK" % PROBE])
        r = mpiexec("-n", 2, "sh", "-c", inner)
        want = ["0: -", "1: -"] if way else ["0: 0", "1: 1"]
        expect(r.code == 0 and sorted(r.lines) == sorted(2 * want), r)
    r = mpiexec("-n", 3, PROBE, "start", "variables", *names)
    expect(r.code == 0 and r.lines == ["0: - - - -"], r)


def keys_of_a_machine():
    """--set stands above the machine file, changes what is modelled, and is shown."""
    def cycles(*options):
        r = mpiexec("-n", 20, "--machine", "mppa256", "--compute", "none", "--stats", *options,
                    PROBE, "about")
        expect(r.code == 0, r)
        return int(re.search(r", (\d+) cycles at", r.err).group(1)), r.err
    before, text = cycles()
    expect("lwmpi: set" not in text, text)
    far, text = cycles("--set", "noc.hop_cycles=8000")
    expect(far > before + 8000 and "lwmpi: set          noc.hop_cycles=8000\n" in text, text)
    old = mpiexec("-n", 20, "--machine", "mppa256", "--compute", "none", "--stats", PROBE, "about",
                  env={**os.environ, "LWMPI_MODEL": "ancestor", "LWMPI_SEED": "7"})
    expect("lwmpi: set          LWMPI_MODEL=ancestor\n" in old.err and
           "lwmpi: set          LWMPI_SEED=7\n" in old.err, old)
    same, text = cycles("--set", "noc.hop_cycles=8000", "--set=noc.hop_cycles=8 cycles")
    expect(same == before, (before, text))
    larger, text = cycles("--set", "compute_clusters=64", "--set", "hz=1GHz")
    expect("64 clusters" in text and "at 1000.000 MHz" in text, text)


def machines_of_many_clusters():
    sizes = {"mppa1k": 64, "mppa4k": 256}
    if not os.environ.get("SANITIZER"):  # with one, 1,024 clusters take a minute to start
        sizes["mppa16k"] = 1024
    for machine, clusters in sizes.items():
        r = mpiexec("-n", clusters, "--map", "scatter", "--machine", machine, "--compute", "none",
                    "--stats", PROBE, "hello", timeout=60)
        expect(r.code == 0 and len(r.lines) == clusters, r)
        expect(" %d clusters" % clusters in r.err, r.err)


def many_arguments_fit_into_a_small_cluster():
    """Each rank keeps a copy for MPI_INFO_ENV, of as many as its values hold."""
    r = mpiexec("-n", 12, "--machine", "mppa256", "--compute", "none", PROBE, "hello",
                *["x" * 60] * 3000)
    expect(r.code == 0 and len(r.lines) == 12, r)


def few_bytes_of_many_ranks():
    """Leaders of clusters double; around a ring each would pay for a message: a million of them."""
    if os.environ.get("SANITIZER"):
        return
    r = mpiexec("-n", 1040, "--ranks-per-cluster", 5, "--machine", "mppa4k", "--compute", "none",
                "--stats", os.path.join(BIN, "osu_coll"), "allgather", "-m", "16:16", "-i", 1,
                "-x", 0)
    expect(r.code == 0 and "allgather-segment 1" in r.err and "ring" not in r.err, r)


def help_has_examples():
    r = mpiexec("--help")
    for word in ("-configfile", "-outfile-pattern", "--bind-to", "Examples", " : ", "mppa256"):
        expect(r.code == 0 and word in r.out, r)
    expect(max(map(len, r.lines)) <= 100, r)


cases(several_programs_are_one_world, hosts_are_this_one,
      libraries_of_one_program_come_behind_those_of_mpi,
      each_program_has_its_own_variables_and_folder, programs_from_a_file,
      of_two_values_the_last_one_counts, a_folder_that_only_leads_to_others,
      quotes_of_the_file_are_those_of_a_shell,
      thresholds_of_this_processor, path_is_searched_first, io_rank, universe, binding_binds,
      files_of_ranks, files_of_ranks_stay_if_one_cannot_be_written, exit_codes_are_printed,
      options_of_other_launchers, timeout_from_the_environment,
      services_of_a_job_without_mpi, signals_that_the_caller_ignores, rank_in_the_environment,
      keys_of_a_machine, machines_of_many_clusters,
      many_arguments_fit_into_a_small_cluster, few_bytes_of_many_ranks, help_has_examples)

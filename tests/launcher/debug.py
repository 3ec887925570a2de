#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks that share a process, as gdb sees them with the scripts beside the library."""
import os
import re
import shutil
import sys

from launch import PROGRAMS, cases, expect, mpiexec

if shutil.which("gdb") is None:
    print("skipped: gdb is not installed")
    sys.exit(0)

PROGRAM = os.path.join(PROGRAMS, "debugged")
VIRTUAL, SHARED = ["--machine", "mppa256"], ["--ranks-per-cluster", 4]
WAYS = (VIRTUAL, SHARED)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "debugged.c")) as source:
    LINE = {comment[1]: number for number, text in enumerate(source, 1)
            if (comment := re.search(r"/\* (\w+) \*/$", text))}


def gdb(*commands):
    """A word list: gdb that runs these commands, then the program. It loads the scripts beside the
    library by itself."""
    first = ["set debuginfod enabled off",
             "set breakpoint pending on", "set width 0", "set startup-with-shell off"]
    return ["gdb", "-nx", "-batch", *(w for c in first for w in ("-iex", c)),
            *(w for c in commands for w in ("-ex", c)), "--args", PROGRAM]


def session(way, *commands, ranks=4, more=()):
    """What gdb printed. In the end the program, of which nothing was changed, runs to its own."""
    run = mpiexec("-n", ranks, *way, *gdb(*commands, "delete", "continue"), *more)
    expect(run.code == 0 and re.search(r"\(process \d+\) exited normally\]", run.out), run)
    expect("Python Exception" not in run.err and "Error" not in run.err, run)
    return run.out


def at(comment):
    return f"debugged.c:{LINE[comment]}"


def info_ranks_tells_how_each_stands():
    """Rank 2 never waits: where it has a thread of its own, that goes on alone until the rank has
    asked and stands where it asks once more."""
    at_asks = ["rank 2", "set scheduler-locking on", f"tbreak {at('asks')} if asked > 0",
               "continue", "set scheduler-locking off", "rank 3"]
    for way, more in ((VIRTUAL, []), (SHARED, at_asks)):
        out = session(way, f"break {at('stops')}", "run", *more, "info ranks")
        rows = {int(m[2]): m for m in re.finditer(
            r"^(\*?) +(\d) +(?:(\d+) +)?(\w+ \(debugged\.c:\d+\)) +(.*)$", out, re.M)}
        expect(sorted(rows) == [0, 1, 2, 3], out)
        wanted = {0: (f"receive ({at('receives')})",
                      "waits in MPI_Recv (peer 3, tag 5, 4 bytes, MPI_COMM_WORLD)"),
                  1: (f"main ({at('meets')})", "waits in MPI_Barrier (MPI_COMM_WORLD)"),
                  2: (f"ask ({at('asks')})", "in MPI_Iprobe (peer 3, tag 6, 0 bytes)"),
                  3: (f"stop ({at('stops')})", "running")}
        for rank, (place, state) in wanted.items():
            expect(place == rows[rank][4] and state in rows[rank][5], out)
            expect((rows[rank][1] == "*") == (rank == 3), out)
        if way is VIRTUAL:
            now = int(re.search(r"^Cycle (\d+), ", out, re.M)[1])
            expect(0 < int(rows[0][3]) < int(rows[2][3]) <= now and int(rows[1][3]) < now, out)
        else:
            expect("Cycle" not in out, out)


def parts(out):
    """{word: what follows}: tests let gdb echo == and a word in between."""
    return dict(part.split("\n", 1) for part in out.split("==")[1:])


def rank_selects_a_stack():
    for way in WAYS:
        out = session(way, f"break {at('stops')}", "run", "echo ==0\\n", "rank 0", "bt",
                      "info locals", "up", "print word", "echo ==1\\n", "rank 1", "print rank",
                      "bt",
                      "echo ==3\\n", "rank 3", "bt", "info locals")
        said = parts(out)
        expect("[Rank 0, waits in MPI_Recv (peer 3, " in said["0"], out)
        expect(re.search(r"^#\d+ .*PMPI_Recv.*\n"
                         rf"#\d+ .* receive \(from=3\) at .*{at('receives')}\n"
                         r"#\d+ .* main \(argc=1, .*\n.* = -?\d+\nlocal = 103\n",
                         said["0"], re.M), out)
        expect("= 1007\n" in said["0"] and "= 1\n" in said["1"], out)
        expect("mpu_wait" not in out and "call_main" not in out, out)
        expect("#0  stop (rank=3) at " in said["3"] and "mine = 30" in said["3"], out)


def stepping_is_the_rank_s_that_stopped():
    for way in WAYS:
        out = session(way, f"break {at('stops')}", "run", "delete", "rank 1", "next", "rank 1",
                      "next", "echo ==next\\n", "rank", "frame", "print mine", "print $rank()",
                      "rank 0", "echo ==finish\\n", "finish")
        said = parts(out)
        expect(said["next"].startswith("[Rank 3, running]\n#0  stop (rank=3) at "), out)
        expect(f"{at('leaves')}\n" in said["next"], out)
        expect("$1 = 1033\n$2 = 3\n" in said["next"], out)
        value = 103 + 7 + 1003 + 1033  # what rank 3 sends, and the local variable
        expect(f"Value returned is $3 = {value}\n[Rank 0]\n" in said["finish"], out)


def each_hits_a_breakpoint():
    for way in WAYS:
        out = session(way, f"break {at('each')}", "run", *["continue"] * 3, "info sharedlibrary",
                      "break PMPI_Finalize", "delete 1", "continue")
        ranks = re.findall(rf"\d, each \(rank=(\d)\) at .*{at('each')}\n.*\n\[Rank (\d)\]\n", out)
        expect(sorted(ranks) == [(str(rank), str(rank)) for rank in range(4)], out)
        expect("Yes " in re.search(r"\n(0x.*)libmpi_abi\.so\.1\n", out)[1], out)
        expect(re.search(r"hit Breakpoint 2|\nBreakpoint 2", out), out)


def each_has_its_own_variables():
    for way in WAYS:
        out = session(way, f"break {at('stops')}", "run", "print *$own(&visible)",
                      *(w for rank in range(3) for w in (f"rank {rank}", "print $own(visible)[1]")),
                      "print $own(visible[0])", "print $own(from)")
        expect(re.findall(r"^\$\d = (.*)", out, re.M) ==
               ["{0, 1003}", "1000", "1001", "1002", "0", "3"], out)


def a_rank_may_stand_in_a_stub():
    """The few instructions by which a program calls a library are in it and no function of it."""
    to_stub = ('python [gdb.execute("stepi", to_string=True) for _ in zip(range(100),'
               ' iter(lambda: (gdb.newest_frame().name() or "").endswith("@plt"), True))]')
    for way in WAYS:
        out = session(way, f"break {at('asks')} if $rank() == 2", "run", to_stub, "echo ==\\n",
                      "rank 2", "print $own(from)")
        expect("@plt" not in parts(out)[""] and re.search(r"^\$\d = 3$", out, re.M), out)


def conditions_and_another_run():
    again = ["run", "print rank"]
    out = session(VIRTUAL, f"break {at('each')} if $rank() == 2", *again, *again)
    expect(len(re.findall(r"\n\[Rank 2\]\n\$\d = 2\n", out)) == 2, out)


def nobody_calls_main_but_ranks_are_shown_above_it():
    """As gdb sees it, of the copy that it knows itself; and no global is another rank's."""
    for rank in range(4):
        out = session(VIRTUAL, f"break {at('begins')} if $rank() == {rank}", "run", "echo ==\\n",
                      f"rank {3 - rank}", "bt", "print global")
        expect(re.search(r"^#\d+ .* main \(argc=1", parts(out)[""], re.M), out)
        expect(re.search(r"^\$1 = (0|100%d)$" % (3 - rank), parts(out)[""], re.M), out)


def another_program_in_the_process():
    out = session(VIRTUAL, f"break {at('stops')}", "run", "info ranks", "rank 2", "bt", ranks=2,
                  more=[":", "-n", 2, PROGRAM])
    expect(re.findall(r"^[* ] (\d) .* (\w+) \(debugged\.c:", out, re.M) ==
           [("0", "receive"), ("1", "main"), ("2", "ask"), ("3", "stop")], out)
    expect(re.search(r"^#\d+ .* ask \(from=3\).*\n#\d+ .* main \(", out, re.M), out)


def end_of(result):
    """Its cycle, and how many events there were before."""
    return tuple(int(re.search(rf"(\d+) {what}", result.err)[1]) for what in ("cycles", "events"))


def stops_at_a_cycle():
    """Whatever happens in it or before, and the job is the same job as without."""
    for seed in (0, 7):
        way = [*VIRTUAL, "--seed", seed, "--stats"]
        end = end_of(mpiexec("-n", 4, *way, PROGRAM))
        for cycle in (1000, 300000, 300001, end[0] - 1):
            option = f"2:{cycle}"
            run = mpiexec("-n", 4, *way, "--break", option,
                          *gdb("run", "info ranks", "next", "continue"))
            expect(f"\n[Cycle {cycle}, by mpiexec --break {option}]\n" in run.out, run)
            expect(run.out.count("by mpiexec") == 1 and end_of(run) == end and run.code == 0, run)
            if cycle == 300000:
                place = rf"\[Rank 2, .*\n#\d+ .* in ask \(from=3\) .*{at('asks')}\n"
                expect(re.search(place, run.out), run)
                expect(f"\nCycle {cycle}, " in run.out, run)
                expect(re.search(rf"^\* 2 .* ask \({at('asks')}\)", run.out, re.M), run)


def breaks_that_cannot_be():
    for option, code, why in (
            ("2:300000", 1, "--break 2:300000: this cycle is reached, and no debugger is there"),
            ("2:30000000000", 0, "--break 2:30000000000: the job ended before, at cycle 80"),
            ("4:1", 2, "--break 4:1 (LWMPI_BREAK): must be a rank (0..3), a colon, and a cycle"),
            ("2", 2, "--break 2: must be a rank, a colon and a cycle"),
            ("2:0", 2, "--break 2:0: must be"), ("2:-1", 2, "--break 2:-1: must be"),
            ("2:3x", 2, "--break 2:3x: must be")):
        run = mpiexec("-n", 4, *VIRTUAL, "--break", option, PROGRAM)
        expect(run.code == code and why in run.err, run)
    run = mpiexec("-n", 4, "--break", "2:1000", PROGRAM)
    expect(run.code == 2 and "--break is for machines in virtual time" in run.err, run)


def what_is_not_there_is_said():
    out = mpiexec("-n", 4, *VIRTUAL, *gdb(f"break {at('stops')}", "run", "rank 7"))
    expect("No rank 7 in this process: it has not begun, has ended, or lives in" in out.err, out)
    out = mpiexec("-n", 4, *VIRTUAL, *gdb("run", "info ranks"))
    expect("The program does not run" in out.err, out)


cases(info_ranks_tells_how_each_stands, rank_selects_a_stack, stepping_is_the_rank_s_that_stopped,
      each_hits_a_breakpoint, each_has_its_own_variables, a_rank_may_stand_in_a_stub,
      conditions_and_another_run, nobody_calls_main_but_ranks_are_shown_above_it,
      another_program_in_the_process, stops_at_a_cycle, breaks_that_cannot_be,
      what_is_not_there_is_said)

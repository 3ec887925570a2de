#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec --profile on each kind of machine."""
import json
import os
import re
import subprocess
import tempfile

from launch import BIN, PROBE, PROGRAMS, cases, expect, mpiexec

LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
ANY = os.path.join(PROGRAMS, "any")
TIMES = 20  # of each collective in the probe's `late`
NAPS = TIMES * 0.005  # seconds that its rank 1 sleeps


def profile(ranks, *way, what=("late", TIMES), code=0, program=PROBE):
    r = mpiexec("-n", ranks, "--profile", *way, program, *what)
    expect(r.code == code, r)
    rows = {words[0]: words for words in map(str.split, r.err.splitlines())
            if words and words[0].startswith("MPI_") and len(words) > 6}
    return r, rows


CAUSES = ("sender", "receiver", "collective", "flow", "network")


def share_of(row, cause):
    """Of the time of all ranks, in percent; a row is: name, calls, bytes, seconds, share, "%", and
    each cause with its sign."""
    return float(row[6 + 2 * CAUSES.index(cause)])


def waiting_has_a_cause():
    """Two ranks; one is 5 ms late each time, so that the other waits for it: half of all time
    in virtual time, where nothing else is in the way; elsewhere most of 100 ms, whatever runs
    beside, which may have the other rank late for longer, once."""
    cases = ((0, "MPI_Recv", "sender", 0), (1, "MPI_Waitall", "sender", 0),
             (2, "MPI_Ssend", "receiver", 1), (3, "MPI_Wait", "receiver", 1),
             (4, "MPI_Bcast", "collective", 0), (5, "MPI_Reduce", "collective", 1),
             (6, "MPI_Mprobe", "sender", 0), (8, "MPI_Send", "receiver", 1),
             (9, "MPI_Cart_create", "collective", 1))
    phrase = {"sender": "receivers waited for a late sender",
              "receiver": "senders waited for a late receiver",
              "collective": "at collectives ranks waited"}
    for way in (LINUX, SHARED, VIRTUAL):
        for how, function, cause, late in cases:
            r, rows = profile(2, *way, what=("waits", how, TIMES))
            row = rows[function]
            share = share_of(row, cause)
            others = [share_of(row, other) for other in CAUSES[:-1] if other != cause]
            expect(share + share_of(row, "network") <= float(row[4]) + 0.3, r)
            if way == VIRTUAL:
                expect(45 < share <= 50 and max(others) < 0.1, r)
            else:
                expect(share > max(others), r)
                expect(share / float(row[4]) * float(row[3]) > 0.05, r)
            expect(re.search(rf"^  {phrase[cause]} .*for rank {late}\b", r.err, re.M), r)
            longest = late if way == VIRTUAL else "[01]"
            calls = 2 * TIMES if cause == "collective" else TIMES
            expect(re.search(rf"{function} at probe\.c:\d+, {calls} "
                             rf"calls, .*: [\d.]+ % waiting .*, longest for rank {longest}$",
                             r.err, re.M), r)


def all_say_for_whom_they_wait():
    """Of four ranks one works before each meeting; three wait for it, an inner one of a reduction,
    those whose call does not block, who asks again and again, neighbours, and those who started
    what they had planned, too. It is the critical path, and half of its work half of the time."""
    program = os.path.join(PROGRAMS, "steps")
    for how, late, function in ((0, 3, "MPI_Reduce"), (1, 0, "MPI_Scan"), (2, 0, "MPI_Exscan"),
                                (3, 2, "MPI_Waitall"), (4, 1, "MPI_Waitall"),
                                (5, 3, "MPI_Waitall"), (6, 0, "MPI_Waitall"),
                                (7, 1, "MPI_Test"), (8, 1, "MPI_Iprobe"),
                                (9, 2, "MPI_Testall"), (11, 1, "MPI_Neighbor_allgather"),
                                (12, 2, "MPI_Wait")):
        cause, words = (("sender", "for the sender") if how in (7, 8) else
                        ("collective", "at the collective"))
        r, rows = profile(4, "--map", "scatter", *VIRTUAL, what=(how, TIMES), program=program)
        expect(sum(share_of(row, cause) for row in rows.values()) > 70, r)
        expect(all(share_of(row, "network") < 3 for row in rows.values()), r)
        expect(re.search(rf"^ +[4-7]\d\.\d %  {function} at .* waiting {words}, longest "
                         rf"for rank {late}$", r.err, re.M), r)
        expect(path_of(r)[f"computation in rank {late}"] > 95, r)
        r, rank, predicted, run, _ = prove(how, TIMES, program=program)
        expect(rank == late and abs(predicted - run) < 1 and run < -45, r)


def who_hands_on_is_waited_for():
    """A rank of a broadcast from which others get it comes late, and the root does not."""
    program = os.path.join(PROGRAMS, "steps")
    r, rows = profile(4, "--map", "scatter", *VIRTUAL, what=(10, TIMES), program=program)
    expect(share_of(rows["MPI_Bcast"], "collective") > 45, r)
    expect(share_of(rows["MPI_Bcast"], "network") < 2, r)
    expect(re.search(r"at collectives ranks waited 4\d\.\d % for rank 2\b", r.err), r)
    expect(path_of(r)["computation in rank 2"] > 95, r)
    r, rank, predicted, run, _ = prove(10, TIMES, program=program)
    expect(rank == 2 and abs(predicted - run) < 1 and run < -45, r)


def groups_wait_for_each_other():
    """Of two groups a rank of one is late with a message to the other and to a barrier of both."""
    program = os.path.join(PROGRAMS, "steps")
    r, rows = profile(4, "--map", "scatter", *VIRTUAL, what=(13, TIMES), program=program)
    expect(share_of(rows["MPI_Recv"], "sender") > 23 and len(rows) == 6, r)
    expect(share_of(rows["MPI_Barrier"], "collective") > 46, r)
    expect(share_of(rows["MPI_Barrier"], "network") < 2, r)
    expect("late sender" in r.err and path_of(r)["computation in rank 1"] > 95, r)
    r, rank, predicted, run, _ = prove(13, TIMES, program=program)
    expect(rank == 1 and abs(predicted - run) < 1 and run < -45, r)


def a_request_of_a_send_and_a_receive_waits_for_both():
    """Round a ring one rank gets its message late, and another one is late rid of its own."""
    program = os.path.join(PROGRAMS, "steps")
    for how, late in ((14, 2), (15, 1)):
        r, rows = profile(4, "--map", "scatter", *VIRTUAL, what=(how, TIMES), program=program)
        waits = [share_of(rows["MPI_Waitall"], cause) for cause in ("sender", "receiver")]
        expect(sum(waits) > 70 and min(waits) > 20, r)
        expect(path_of(r)[f"computation in rank {late}"] > 95, r)
        r, rank, predicted, run, _ = prove(how, TIMES, program=program)
        expect(rank == late and abs(predicted - run) < 1 and run < -45, r)


def nobody_is_late():
    """Both come at once: what messages take is the network."""
    r, rows = profile(2, *VIRTUAL, what=("waits", 7, TIMES))
    for name in ("MPI_Recv", "MPI_Send"):
        expect(share_of(rows[name], "network") > 0.7 * float(rows[name][4]), r)


def lack_of_credit_is_told_from_late_receivers():
    """Short messages are sent at once until there is no room for more."""
    r, rows = profile(2, "--map", "scatter", *VIRTUAL, what=("credit", 2000))
    expect(share_of(rows["MPI_Send"], "flow") > 30, r)
    expect(share_of(rows["MPI_Send"], "receiver") == 0, r)
    told = "senders of short messages waited for credit or memory .* for rank 1"
    expect(re.search(told, r.err), r)
    r, rows = profile(2, "--map", "scatter", *VIRTUAL, what=("credit", 2))
    expect(share_of(rows["MPI_Send"], "flow") == 0, r)


def counts_are_those_of_the_program():
    """Calls and bytes by hand: 4 ranks, sums of 4 bytes, messages of 1,000."""
    for way in (LINUX, SHARED, VIRTUAL):
        r, rows = profile(4, *way)
        expect(rows["MPI_Barrier"][1:3] == [str(4 * TIMES), "0"], r)
        expect(rows["MPI_Allreduce"][1:3] == [str(4 * TIMES), str(16 * TIMES)], r)
        expect(rows["MPI_Send"][1:3] == [str(TIMES), str(1000 * TIMES)], r)
        expect(rows["MPI_Recv"][1:3] == [str(TIMES), str(1000 * TIMES)], r)
        expect(rows["MPI_Comm_split"][1] == "4", r)


def starts_name_what_was_planned():
    """Messages of 128 KB that rank 0 has planned once; sums of 4 bytes of each of four ranks."""
    _, rows = profile(2, *VIRTUAL, what=("waits", 3, TIMES))
    expect(rows["MPI_Start"][1:3] == [str(TIMES), str(131072 * TIMES)], rows)
    _, rows = profile(4, *VIRTUAL, what=(12, TIMES), program=os.path.join(PROGRAMS, "steps"))
    expect(rows["MPI_Start"][1:3] == [str(4 * TIMES), str(16 * TIMES)], rows)


def waiting_is_laid_at_the_last_ones_door():
    """Three of four ranks wait for rank 1, which sleeps 5 ms each time. In virtual time nothing
    else is in the way: they wait 3/4 of all time, but for what the machine itself takes. Elsewhere
    rank 1 may begin later than the others, too, and what else runs makes the job longer: half of
    what the three must wait is asked for, in seconds."""
    for way in (LINUX, SHARED, VIRTUAL):
        r, rows = profile(4, *way)
        others = "" if way == VIRTUAL else ".*?"
        waited = re.search(rf"at collectives ranks waited {others}([\d.]+) % for rank 1\b", r.err)
        expect(waited, r)
        share = float(waited[1])
        in_mpi = float(re.search(r", ([\d.]+) % of their time in MPI$", r.err, re.M)[1])
        least = 70 if way == VIRTUAL else 100 * 3 * NAPS / 2 / (4 * seconds_of(r))
        expect(least < share <= (75 if way == VIRTUAL else in_mpi), r)
        barrier = rows["MPI_Barrier"]
        expect(share_of(barrier, "collective") <= float(barrier[4]), r)
        expect(way != VIRTUAL or share_of(barrier, "collective") > 70, r)


def calls_are_named_by_file_and_line():
    """Elsewhere than in virtual time another rank may be the one that was late longest, once."""
    with open(__file__.replace("profile.py", "probe.c")) as f:
        lines = f.read().splitlines()
    line = [i for i, text in enumerate(lines, 1) if "MPI_Barrier(MPI_COMM_WORLD)" in text
            and "MPI_Allreduce" in lines[i]][0]
    for way in (LINUX, SHARED, VIRTUAL):
        r, _ = profile(4, *way)
        last = "1" if way == VIRTUAL else "[0-3]"
        told = r.err[r.err.index("calls that took longest"):].splitlines()[1:]
        first = told[0] if way == VIRTUAL else "\n".join(told)
        expect(re.search(rf"%  MPI_Barrier at probe\.c:{line}, {4 * TIMES} calls, longest in rank "
                         rf"[0-3]: [\d.]+ % waiting at the collective, longest for rank {last}$",
                         first, re.M), r)


def virtual_time_is_the_same():
    """The layer takes no time of the machine, but what it asks MPI about communicators may take
    another page of memory."""
    cycles = []
    for option in ((), ("--profile",)):
        r = mpiexec("-n", 4, *option, "--stats", *VIRTUAL, PROBE, "late", TIMES)
        cycles.append(int(re.search(r"(\d+) cycles", r.err)[1]))
    expect(abs(cycles[1] / cycles[0] - 1) < 0.001, cycles)


def what_the_layer_keeps_is_no_ranks():
    """Lists of members and of the files in the process are as long as the job; a rank's memory is
    its cluster's."""
    r, rows = profile(256, *VIRTUAL, "--ranks-per-cluster", 16, "--stats", what=("late", 1))
    expect(rows["MPI_Barrier"][1] == "256", r)
    expect(int(re.search(r"memory.malloc (\d+) KB", r.err)[1]) <= 16, r)


def seconds_of(r):
    return float(re.search(r"profile: \d+ ranks, ([\d.]+) s", r.err)[1])


def path_of(r):
    """Shares of the critical path: {"computation in rank 0": 99.0}."""
    return {what: float(share) for share, what in
            re.findall(r"^ +([\d.]+) %  (\S+ in rank \d+)$", r.err, re.M)}


def the_critical_path_goes_through_who_is_late():
    """Elsewhere than in virtual time what else runs makes others late as well, now and then."""
    for way in (LINUX, SHARED, VIRTUAL):
        r, _ = profile(4, *way)
        path = path_of(r)
        least = 98 if way == VIRTUAL else 100 * NAPS / 2 / seconds_of(r)
        expect(path["computation in rank 1"] > least, r)
        expect(sum(path.values()) < 100.3, r)
    r, _ = profile(2, *VIRTUAL, what=("waits", 7, TIMES))  # nobody is late: messages are it
    expect(max(path_of(r), key=path_of(r).get).startswith("MPI_"), r)


def profile_of(text, *options, way=VIRTUAL):
    """Of a program of these lines between MPI_Init and MPI_Finalize, on two ranks."""
    with tempfile.TemporaryDirectory() as tmp:
        with open(tmp + "/p.c", "w") as f:
            f.write("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                    "#include <time.h>\nint main(int c, char **v)\n{\n"
                    f"MPI_Init(&c, &v);\n{text}\nMPI_Finalize();\nreturn 0;\n}}\n")
        subprocess.run([os.path.join(BIN, "mpicc"), *options, tmp + "/p.c", "-o", tmp + "/p"],
                       check=True)
        return mpiexec("-n", 2, "--profile", *way, tmp + "/p")


def a_place_without_a_line_is_a_function():
    r = profile_of("MPI_Barrier(MPI_COMM_WORLD);", "-g0")
    expect(r.code == 0 and re.search(" MPI_Barrier in main, 2 calls", r.err), r)


def the_last_communicator_takes_no_longer_than_the_first():
    r = profile_of("""clock_t round[20];
int rank;
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
for (int i = 0; i < 20 && rank == 0; i++) {
    MPI_Comm made;
    clock_t begin = clock();
    for (int k = 0; k < 10000; k++)
        MPI_Comm_dup(MPI_COMM_SELF, &made), MPI_Comm_free(&made);
    round[i] = clock() - begin;
}
for (int i = 0; i < 20 && rank == 0; i++)
    printf("%ld\\n", (long)round[i]);""", way=LINUX)
    times = [int(x) for x in r.lines]
    expect(r.code == 0 and len(times) == 20 and min(times[15:]) < 2 * times[1], r)


def the_records_are_no_file_of_a_rank():
    """Nor of what it starts."""
    r = profile_of('if (system("ls -l /proc/self/fd | grep -q lwmpi-records") == 0)\nreturn 7;')
    expect(r.code == 0, r)


def prove(*what, ranks=4, program=PROBE):
    r = mpiexec("-n", ranks, "--prove", *VIRTUAL, program, *what)
    found = re.search(r"if rank (\d+) computed 2x faster: ([-+\d.]+) %, predicted; "
                      r"([-+\d.]+) % as run, ([\d.]+) s$", r.err, re.M)
    expect(r.code == 0 and found, r)
    return r, int(found[1]), float(found[2]), float(found[3]), float(found[4])


def a_faster_rank_is_predicted_and_run():
    """Rank 0 works 2 ms at a time, the others 1.5 ms, each time before a barrier, or before they
    send to the one that follows. Who is faster by half takes 1 ms, so 1.5 ms are left."""
    for how in (0, 1):
        r, rank, predicted, run, seconds = prove("uneven", how, TIMES)
        expect(rank == 0 and abs(predicted - run) < 2, r)
        expect(-27 < run < -20, r)
        faster = mpiexec("-n", 4, "--profile", "--faster", "0:2", *VIRTUAL, PROBE, "uneven", how,
                         TIMES)
        expect(faster.code == 0 and abs(seconds_of(faster) - seconds) < 2e-6, faster)
        again = prove("uneven", how, TIMES)
        expect(again[1:] == (rank, predicted, run, seconds), again)


def faster_by_option_and_environment():
    """A factor with a point, too, says the same both ways."""
    took = []
    for factor in ("2", "1.25", "0.5"):
        for option, variable in ((["--faster", "0:" + factor], None), ([], "0:" + factor)):
            os.environ.update({"LWMPI_FASTER": variable} if variable else {})
            r = mpiexec("-n", 4, "--profile", *option, *VIRTUAL, PROBE, "uneven", 0, TIMES)
            os.environ.pop("LWMPI_FASTER", None)
            took.append(re.search(r"profile: 4 ranks, ([\d.]+) s", r.err)[1])
    expect(took[::2] == took[1::2] and took[0] < took[2] < took[4], took)
    for wrong in ("0", "0:", "0:0", "0:2x", "x:2", "0:-0.5", "4:2"):
        os.environ["LWMPI_FASTER"] = wrong
        r = mpiexec("-n", 4, *VIRTUAL, PROBE, "uneven", 0, 1)
        said = f"--faster {wrong} (LWMPI_FASTER): must be a rank (0..3), a colon,"
        expect(r.code != 0 and said in r.err, r)
    del os.environ["LWMPI_FASTER"]


def credit_is_predicted():
    """The last of 64 runs ahead of rank 0 until it has no more credit; that wait must go, too."""
    r, rank, predicted, run, _ = prove("uneven", 1, 50, ranks=64)
    expect(rank == 0 and -27 < run < -20 and abs(predicted - run) < 2, r)


def only_computation_is_faster():
    """A rank that sleeps sleeps as long."""
    r, rank, predicted, run, _ = prove("late", TIMES)
    expect(rank == 1 and -1 < run <= 0.1 and abs(predicted - run) < 1, r)


def first_come_is_predicted():
    """A rank that takes messages as they come takes them in another order if it is faster. Most of
    what its core does between calls is computation, but not all: it sees to what comes, too."""
    for how in ("each", "some"):
        r, rank, predicted, run, _ = prove(how, TIMES, ranks=20, program=ANY)
        expect(rank == 0 and run < -15 and abs(predicted - run) < 3, r)


def who_hands_out_work_to_anybody():
    """While it asks it waits for those who compute: these are the path. Who gets how much if one of
    them is faster nobody knows, and the line says so."""
    r = mpiexec("-n", 20, "--prove", *VIRTUAL, ANY, "queue", TIMES)
    path = path_of(r)
    expect(r.code == 0 and max(path, key=path.get).startswith("computation in rank"), r)
    expect(path.get("MPI_Iprobe in rank 0", 0) < 20, r)
    line = (r"if rank \d+ computed 2x faster: [-+\d.]+ %, predicted, if rank 0, which takes "
            r"messages from anybody, gave others the same work; [-+\d.]+ % as run")
    expect(re.search(line, r.err), r)


def what_only_passes_the_time():
    """Whether a rank needs what it computes while it asks in vain nobody knows: both are told, and
    the truth lies between."""
    r = mpiexec("-n", 20, "--prove", *VIRTUAL, ANY, "otherwise", TIMES)
    found = re.search(r"between ([-+\d.]+) and ([-+\d.]+) %, predicted, as rank 0 computes "
                      r"between calls that ask in vain, which it may need or not; "
                      r"([-+\d.]+) % as run", r.err)
    expect(r.code == 0 and found, r)
    needed, passed, run = map(float, found.groups())
    expect(passed < needed - 20 and passed - 2 < run < needed + 2, r)


def a_second_run_leaves_files_alone():
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "t.json")
        texts = []
        for option in ("--profile", "--prove"):
            r = mpiexec("-n", 4, option, "--trace", path, *VIRTUAL, PROBE, "uneven", 0, TIMES)
            expect(r.code == 0 and r.out == "", r)
            with open(path) as f:
                texts.append(f.read())
        expect(texts[0] == texts[1], "the trace is that of the second run")


def a_second_run_has_the_same_programs():
    """Rank 3 is of a second program; options before it were changed as they were read."""
    one = (PROBE, "uneven", 0, TIMES)
    r = mpiexec("--prove", "-genv", "PROBE=5", *VIRTUAL, "-n", 3, *one, ":", "-n", 1, *one)
    expect(r.code == 0 and re.search(r"% as run, ([\d.]+) s$", r.err, re.M), r)
    alone = prove("uneven", 0, TIMES)
    expect(f"{alone[4]:.6f} s" in r.err, (r, alone))


def threads_of_a_rank_may_all_call():
    """They make communicators and receive from any source at once."""
    r = mpiexec("-n", 2, "--profile", *LINUX, os.path.join(PROGRAMS, "threads"), 3000, "own")
    expect(r.code == 0, r)


def wrong_arguments_are_the_librarys():
    """The layer looks at them first, and must leave them alone."""
    program = os.path.join(PROGRAMS, "..", "mpi", "p2p_errors")
    for way in (LINUX, VIRTUAL):
        r = mpiexec("-n", 4, "--profile", *way, program)
        expect(r.code == 0, r)
    for way in (SHARED, VIRTUAL):  # where only one thread of a rank may call
        r = mpiexec("-n", 2, "--profile", *way, os.path.join(PROGRAMS, "threads"), 1)
        expect(r.code == 16 and "rank 0: MPI_Recv: " in r.err, r)


def who_does_nothing_has_recorded():
    r, _ = profile(2, *VIRTUAL, "--compute", "none", what=("args",))
    expect("no rank" not in r.err and "2 ranks, no time and no call" in r.err, r)
    expect("critical path" not in r.err, r)


def calls_that_take_no_time_are_counted():
    """Of each function, however many of them there are."""
    names = ("MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Recv", "MPI_Probe")
    text = "".join(f"{name}(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD"
                   f"{', MPI_STATUS_IGNORE' if 'Recv' in name else ''});\n" for name in names[:-1])
    text += "MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    r = profile_of(text)
    expect("profile: 2 ranks, 10 calls between MPI_Init and MPI_Finalize, which took no time\n"
           in r.err, r)
    r = profile_of("MPI_Pcontrol(MPIX_PCONTROL_WORK, 1000.0);\n" + text)
    for name in names:
        expect(re.search(rf"^  {name} +2 ", r.err, re.M), r)


def other_programs_and_early_ends():
    r = mpiexec("-n", 2, "--profile", "sh", "-c", "echo here")
    expect(r.code == 0 and r.out == "here\nhere\n" and "no rank has recorded" in r.err, r)
    r, rows = profile(4, "--timeout", 2, what=("crossed",), code=124)
    expect(rows["MPI_Send"][1] == "1", r)
    r = mpiexec("-n", 4, *VIRTUAL, PROBE, "late", TIMES)
    expect(r.code == 0 and "profile" not in r.err, r)


ENDED_EARLY = """#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        usleep(100000);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Abort(MPI_COMM_WORLD, 7);
}
"""


def who_is_ended_early_has_computed():
    """No rank comes to MPI_Finalize: all the same rank 0 was not in MPI while it slept."""
    for way in (LINUX, SHARED, VIRTUAL):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/p.c", "w") as f:
                f.write(ENDED_EARLY)
            subprocess.run([os.path.join(BIN, "mpicc"), folder + "/p.c", "-o", folder + "/p"],
                           check=True)
            r = mpiexec("-n", 2, "--profile", *way, folder + "/p")
            in_mpi = re.search(r"profile: 2 ranks, (\S+) s .*, (\S+) % of their time in MPI", r.err)
            expect(r.code == 7 and in_mpi and float(in_mpi[1]) >= 0.1, r)
            expect(40 < float(in_mpi[2]) < 80, r)  # until the job has ended rank 1 receives


def calls_that_never_end_count():
    """To the end of the job, in the profile and as spans of the trace."""
    for way in (LINUX, SHARED, VIRTUAL):
        with tempfile.TemporaryDirectory() as folder:
            r = mpiexec("-n", 4, "--timeout", 4, "--profile", "--trace", folder + "/t", "--report",
                        folder + "/r.html", *way, os.path.join(PROGRAMS, "stuck"), "named")
            with open(folder + "/r.html") as f:
                expect('"opened":3' in f.read(), r)
            with open(folder + "/t") as f:
                spans = [e for e in json.load(f)["traceEvents"] if e.get("ph") == "X"]
        share = {}
        for name, calls in (("MPI_Waitall", 3), ("MPI_Waitany", 1)):
            found = re.search(rf"^ +(\S+) %  {name} at stuck\.c:\d+, {calls} calls, longest in "
                              rf"rank \d: (\S+) % in {calls} that did not end$", r.err,
                              re.MULTILINE)
            expect(r.code == 124 and found and found[1] == found[2], r)
            share[name] = float(found[1])
            ends = [e["args"].get("ended", True) for e in spans if e["name"] == name]
            expect(ends == [False] * calls, spans[:20])
        expect(share["MPI_Waitall"] > share["MPI_Waitany"] > 0, r)
        if way is not VIRTUAL:
            expect(sum(share.values()) > 95, r)


cases(a_place_without_a_line_is_a_function, who_is_ended_early_has_computed,
      calls_that_never_end_count,
      the_records_are_no_file_of_a_rank,
      waiting_has_a_cause, all_say_for_whom_they_wait, who_hands_on_is_waited_for,
      a_request_of_a_send_and_a_receive_waits_for_both, calls_that_take_no_time_are_counted,
      groups_wait_for_each_other, nobody_is_late, lack_of_credit_is_told_from_late_receivers,
      counts_are_those_of_the_program, starts_name_what_was_planned,
      waiting_is_laid_at_the_last_ones_door,
      calls_are_named_by_file_and_line, the_critical_path_goes_through_who_is_late,
      a_faster_rank_is_predicted_and_run, faster_by_option_and_environment, credit_is_predicted,
      first_come_is_predicted, who_hands_out_work_to_anybody, what_only_passes_the_time,
      only_computation_is_faster, a_second_run_leaves_files_alone,
      a_second_run_has_the_same_programs, virtual_time_is_the_same,
      what_the_layer_keeps_is_no_ranks, who_does_nothing_has_recorded,
      threads_of_a_rank_may_all_call, wrong_arguments_are_the_librarys,
      the_last_communicator_takes_no_longer_than_the_first, other_programs_and_early_ends)

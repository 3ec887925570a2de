#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec --trace on each kind of machine: a row for each rank with its calls, arrows of messages,
numbers over time. (That the machine's own part is complete JSON: hal/test.)"""
import json
import os
import subprocess
import tempfile

from launch import PROBE, PROGRAMS, cases, expect, finish, mpiexec, start

LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
WAYS = (LINUX, SHARED, VIRTUAL)
TIMES = 20  # of each call in the probe's `late`
NAP = 5000  # microseconds that rank 1 sleeps each time
RECORDS = 65536  # of a rank, the latest


class Trace:
    """Rows of ranks by number: their slices in the order of time; and all the rest."""

    def __init__(self, *args, code=0):
        with tempfile.TemporaryDirectory() as tmp:
            self.run = mpiexec("--trace", os.path.join(tmp, "t.json"), *args)
            expect(self.run.code == code, self.run)
            with open(os.path.join(tmp, "t.json")) as f:
                self.events = json.load(f)["traceEvents"]
        self.titles = {(e["pid"], e["tid"]): e["args"]["name"] for e in self.of("M", "thread_name")}
        self.at = {int(name.split()[1].rstrip(",")): row for row, name in self.titles.items()
                   if name.startswith("rank") and "thread" not in name}
        self.rows = {rank: sorted((e for e in self.of("X") if (e["pid"], e["tid"]) == row),
                                  key=lambda e: e["ts"]) for rank, row in self.at.items()}

    def of(self, kind, name=None):
        return [e for e in self.events if e["ph"] == kind and name in (None, e["name"])]

    def calls(self, rank, name):
        return [e for e in self.rows[rank] if e["name"] == name]


def end(e):
    return e["ts"] + e["dur"]


def ns(us):
    return round(1000 * us)


class Shown:
    """What ui.perfetto.dev makes of the events: times are whole nanoseconds, events are taken in
    their order (of those at one time: that of the file), and a slice that ends after the one it
    began in is dropped. An arrow belongs to the slice that began last in its row."""

    def __init__(self, events):
        open_in, self.dropped, self.arrows, begun = {}, [], [], {}
        in_rows = (e for e in events if "ts" in e and "tid" in e)
        for e in sorted(in_rows, key=lambda e: ns(e["ts"])):
            stack, now = open_in.setdefault((e["pid"], e["tid"]), []), ns(e["ts"])
            if e["ph"] == "X":
                until = now + ns(e["dur"])
                while stack and stack[-1][0] <= now:
                    stack.pop()
                if stack and now < stack[-1][0] < until:
                    self.dropped.append((stack[-1][1], e))
                else:
                    stack.append((until, e))
            elif e["ph"] == "s":
                begun[e["id"]] = stack[-1][1] if stack else None
            elif e["ph"] == "f":
                self.arrows.append((begun.get(e["id"]), stack[-1][1] if stack else None))


def rows_are_the_ranks_calls():
    for way in WAYS:
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        expect(sorted(t.rows) == [0, 1, 2, 3], t.titles)
        processes = {0, 1, 2, 3} if way == LINUX else {0, 1} if way == SHARED else {0}
        expect({pid for pid, _ in t.at.values()} == processes, t.at)
        order = {(e["pid"], e["tid"]): e["args"]["sort_index"]
                 for e in t.of("M", "thread_sort_index")}
        expect(all(order[row] < 0 for row in t.at.values()), order)  # those of cores have 0
        for rank in t.rows:
            for name in ("MPI_Barrier", "MPI_Allreduce"):
                expect(len(t.calls(rank, name)) == TIMES, (rank, name))
            for a, b in zip(t.rows[rank], t.rows[rank][1:]):
                expect(end(a) <= b["ts"] + 0.001, (a, b))
            for e in t.calls(rank, "MPI_Barrier"):
                expect(e["args"]["communicator"] == "MPI_COMM_WORLD" and e["args"]["bytes"] == 0
                       and e["args"]["protocol"], e)
        for e in t.calls(0, "MPI_Send"):
            protocol = e["args"].pop("protocol")
            expect(protocol == "eager" if way == LINUX else protocol.startswith("local-"), protocol)
            waits = {"waited for", "waited us"} & set(e["args"])
            expect({k: v for k, v in e["args"].items() if k not in waits} ==
                   {"bytes": 1000, "communicator": "MPI_COMM_WORLD", "peer": 1, "tag": 0}, e)


def receives_name_their_senders_protocol():
    """Also where they end in a wait for several, or in a call that sends as well."""
    for way in WAYS:
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        want = {e["args"]["protocol"] for e in t.calls(0, "MPI_Send")}
        got = [e["args"].get("protocol") for e in t.calls(1, "MPI_Recv")]
        expect(len(got) == TIMES and set(got) <= want, (way, want, got))
        t = Trace("-n", 2, *way, PROBE, "waits", 1, TIMES)
        want = {e["args"]["protocol"] for e in t.calls(0, "MPI_Send")}
        got = [e["args"].get("protocol") for e in t.calls(1, "MPI_Waitall")]
        expect(len(got) == TIMES and set(got) <= want, (way, want, got))
        t = Trace("-n", 4, *way, PROBE, "uneven", 1, TIMES)
        got = [e["args"].get("protocol") for rank in t.rows for e in t.calls(rank, "MPI_Sendrecv")]
        expect(len(got) == 4 * TIMES and set(got) <= {"eager", "local-eager",
                                                           "local-direct"}, (way, got))


def who_is_late_computes_and_the_others_wait():
    """Elsewhere than in virtual time another may be late, too, now and then: of the three that wait
    one is asked for."""
    for way in WAYS:
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        naps = [e for e in t.calls(1, "computation") if e["dur"] >= NAP]
        expect(len(naps) == TIMES or (len(naps) > TIMES and way != VIRTUAL), t.rows[1])
        waits = max(([e for e in t.calls(rank, "MPI_Barrier")
                      if e["args"].get("waited for") == "rank 1: it at the collective"]
                     for rank in ((0,) if way == VIRTUAL else (0, 2, 3))), key=len)
        expect(len(waits) > TIMES / 2, t.calls(0, "MPI_Barrier"))
        for e in waits:
            expect(0 < e["args"]["waited us"] <= e["dur"] + 0.001, e)
        expect(sum(e["args"]["waited us"] for e in waits) > 0.4 * NAP * TIMES, waits)


def arrows_go_from_sends_to_receives():
    """Also of requests, to where these are waited for."""
    for way in WAYS:
        for args, sender, send, receive in ((("late", TIMES), 0, "MPI_Send", "MPI_Recv"),
                                            (("looks", TIMES), 0, "MPI_Send", "MPI_Recv"),
                                            (("waits", 1, TIMES), 0, "MPI_Send", "MPI_Waitall")):
            t = Trace("-n", 2, *way, PROBE, *args)

            def calls(rank, name):
                return t.calls(rank, name) + t.calls(rank, "MPI_Sendrecv")

            begins = {e["id"]: e for e in t.of("s")}
            ends = {e["id"]: e for e in t.of("f")}
            expect(len(ends) >= TIMES and set(begins) == set(ends), begins)
            expect(len(begins) == len(t.of("s")) and len(ends) == len(t.of("f")), begins)
            for i, e in ends.items():
                b = begins[i]
                expect(b["ts"] <= e["ts"], (b, e))
                if (b["pid"], b["tid"]) != t.at[sender]:
                    continue
                expect((e["pid"], e["tid"]) == t.at[1 - sender], (b, e))
                expect(any(abs(c["ts"] - b["ts"]) < 0.001 for c in calls(sender, send)), b)
                expect(any(abs(end(c) - e["ts"]) < 0.001 for c in calls(1 - sender, receive)), e)


def nothing_is_lost_where_it_is_shown():
    """No slice is dropped, and arrows hang on the calls, whichever of the two ranks is first."""
    for way in WAYS:
        for ranks, *args in ((4, "late", TIMES), (2, "waits", 1, TIMES), (4, "uneven", 1, TIMES)):
            t = Trace("-n", ranks, *way, PROBE, *args)
            shown = Shown(t.events)
            expect(not shown.dropped, (way, args, len(shown.dropped), shown.dropped[:3]))
            expect(shown.arrows, (way, args))
            for pair in shown.arrows:
                expect(all(e and e["name"].startswith("MPI_") for e in pair), (way, args, pair))


def threads_of_a_rank_have_rows():
    """Calls that are under way at the same time do not lie on one another."""
    t = Trace("-n", 2, *LINUX, os.path.join(PROGRAMS, "threads"), TIMES)
    expect(list(t.titles.values()).count("rank 0, another thread") == 1, t.titles)
    calls = [e for e in t.of("X", "MPI_Recv") if e.get("cat") == "mpi"]
    expect(len(calls) == 2 * TIMES and len({e["tid"] for e in calls}) == 2, t.titles)
    shown = Shown([e for e in t.events if e.get("cat") == "mpi"])
    expect(not shown.dropped and len(shown.arrows) == 2 * TIMES, shown.dropped[:3])


def the_io_rank_is_no_other_rank():
    """Whose number in its own MPI_COMM_WORLD is 0."""
    for way in WAYS:
        t = Trace("-n", 2, *way, "--io-rank", PROBE, "chip")
        expect(sorted(t.titles.values()).count("rank 0, another thread") == 0, t.titles)
        expect([len(t.calls(i, "MPI_Barrier")) for i in (0, 1)] == [1, 1], t.rows)


def requests_end_in_any_order():
    """However many there are: each message has its arrow."""
    n = 301
    for way in WAYS:
        t = Trace("-n", 2, *way, PROBE, "many", n)
        begins = {e["id"]: e for e in t.of("s")}
        ends = {e["id"]: e for e in t.of("f")}
        expect(set(begins) == set(ends) and len(ends) == len(t.of("f")), len(ends))
        for rank in (0, 1):
            into = [e for e in t.of("f") if (e["pid"], e["tid"]) == t.at[rank]]
            expect(len(into) == n, (rank, len(into)))
            expect(all(e["ts"] <= end(t.calls(rank, "MPI_Wait")[-1]) + 0.001 for e in into), rank)


def waits_name_the_protocol():
    for way in WAYS:
        names = {e["name"] for e in Trace("-n", 2, *way, PROBE, "messages").events}
        want = {"eager", "pipeline"} if way is LINUX else {"local-eager", "local-copy"}
        expect(want <= names, "%s lacks %s" % (way, want - names))


def sends_that_go_on_name_theirs():
    """Where they begin: here with a receiver that comes late."""
    for way in WAYS:
        t = Trace("-n", 2, *way, PROBE, "waits", 3, TIMES)
        begun = t.calls(0, "MPI_Start")
        want = "pipeline" if way is LINUX else "local-copy"
        expect(len(begun) == TIMES and all(e["args"].get("protocol") == want for e in begun), begun)


def rows_have_titles():
    for way in WAYS:
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        expect(all((e["pid"], e["tid"]) in t.titles for e in t.of("X")), t.titles)


def a_core_has_its_ranks_calls():
    """By protocol or algorithm, at the same time."""
    for way, cores in ((LINUX, {(i, 0) for i in range(4)}), (VIRTUAL, None)):
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        rows = {(e["pid"], e["tid"]) for e in t.of("X") if "cat" not in e and e["tid"] >= 0}
        expect(cores is None or rows == cores, rows)
        for rank, row in t.at.items():
            for call in t.calls(rank, "MPI_Barrier"):
                same = [e for e in t.of("X", call["args"]["protocol"])
                        if e["pid"] == row[0] and e["ts"] == call["ts"] and e["dur"] == call["dur"]]
                expect(len(same) >= 1, call)


def numbers_over_time():
    for way in WAYS:
        t = Trace("-n", 4, *way, PROBE, "late", TIMES)
        names = {e["name"] for e in t.of("C")}
        want = {"memory"} | ({"load of the busiest link", "power of cores", "power at rest",
                              "power of the networks"} if way == VIRTUAL
                             else {"sent by rank 0"})
        expect(want <= names, names)
        for e in t.of("C"):
            expect(all(v >= 0 for v in e["args"].values()), e)
    expect(not [e for e in t.events if e["name"] == "idle"], "an idle core is drawn")


def sent_by(t, rank):
    """Bytes: a number holds until the next one, the last one to the end."""
    numbers = [(e["ts"], e["args"]["B/s"]) for e in t.of("C", f"sent by rank {rank}")]
    numbers.append((max(e["ts"] + e["dur"] for e in t.of("X")), 0))
    return sum(held * (until - ts) * 1e-6
               for (ts, held), (until, _) in zip(numbers, numbers[1:]))


def who_receives_sends_nothing():
    """With requests, or by way of a handle; what is sent is, however often it was planned."""
    size = 131072 * TIMES
    for how in (1, 3, 6):
        t = Trace("-n", 2, *LINUX, PROBE, "waits", how, TIMES)
        expect(abs(sent_by(t, 0) / size - 1) < 0.001 and sent_by(t, 1) == 0,
               (how, sent_by(t, 0), sent_by(t, 1)))


def bursts_show():
    """Ranks work 1.5 ms or longer, then all send at once: the links are idle, then loaded."""
    t = Trace("-n", 32, *VIRTUAL, PROBE, "uneven", 1, TIMES)
    load = [e["args"]["%"] for e in t.of("C", "load of the busiest link") if e["pid"] == 0]
    low = max(load) / 100
    bursts = sum(a < low <= b for a, b in zip(load, load[1:]))
    expect(bursts >= TIMES, (bursts, load))


def the_latest_calls_are_kept():
    t = Trace("-n", 2, *LINUX, PROBE, "credit", RECORDS + 1000)
    for rank in (0, 1):
        expect(sum(e["name"] != "computation" for e in t.rows[rank]) == RECORDS, t.titles)
        expect(t.titles[t.at[rank]] == "rank %d, without its first 1001 calls" % rank, t.titles)


def short_waits_have_a_cause():
    """Two ranks in turn, each waits a microsecond or two for the other: whose fault that was is
    looked for later, of several calls together, and of the last ones at the end."""
    for n in (1000, 1003):
        for way in (LINUX, VIRTUAL):
            t = Trace("-n", 2, *way, PROBE, "turns", n)
            for rank in (0, 1):
                waits = [e for e in t.calls(rank, "MPI_Recv") if "waited for" in e["args"]]
                other = f"rank {1 - rank}: its send"
                expect(len(waits) > n / 2, (way, len(waits)))
                expect(all(e["args"]["waited for"] == other for e in waits), (other, waits[:5]))
                expect(all(e["args"]["waited us"] <= e["dur"] + 0.001 for e in waits), waits[:5])
                expect(waits[-1]["ts"] > t.calls(rank, "MPI_Recv")[-5]["ts"], waits[-1])


def rows_end_with_the_job():
    """A rank dies; what was recorded up to then is there. Programs without MPI have no rows."""
    for way in (LINUX, VIRTUAL):
        t = Trace("-n", 4, *way, PROBE, "crash", 11, 2, code=128 + 11)
        expect(len(t.of("M", "trace" if way == LINUX else "process_name")) >= 1, t.titles)
    t = Trace("-n", 2, *LINUX, "sh", "-c", "echo here")
    expect(not t.rows and t.run.out == "here\nhere\n" and t.run.err == "", t.run)


def virtual_time_repeats():
    """The same bytes in every run, and as many cycles as without a trace but for a page or two."""
    cycles = []
    for option in ((), ("--trace", "/dev/null")):
        r = mpiexec("-n", 4, "--stats", *option, *VIRTUAL, PROBE, "late", TIMES)
        cycles += [int(line.split(" cycles")[0].split()[-1]) for line in r.err.splitlines()
                   if " cycles" in line][:1]
    expect(len(cycles) == 2 and abs(cycles[1] / cycles[0] - 1) < 0.001, cycles)
    texts = []
    for _ in range(2):
        texts.append(Trace("-n", 4, *VIRTUAL, PROBE, "late", TIMES).events)
    expect(texts[0] == texts[1], "two runs differ")


def a_refused_job_leaves_files():
    """What an earlier job wrote stays until a job begins; one that writes none leaves it empty."""
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "t")
        for option in ("--trace", "--heat", "--memory-map"):
            with open(path, "w") as f:
                f.write("old")
            for ranks, program, code in ((300, PROBE, 2), (2, "/no/such/program", 127)):
                r = mpiexec(*VIRTUAL, "-n", ranks, option, path, program, "args")
                expect(r.code == code, r)
                with open(path) as f:
                    expect(f.read() == "old", r)
            r = mpiexec(*VIRTUAL, "--break", "9:1", "-n", 2, option, path, PROBE)
            expect(r.code == 2, r)
            with open(path) as f:
                expect(f.read() != "old", r)


def a_job_that_cannot_begin_leaves_files():
    """The program is there, but the system does not execute it: known after mpiexec's own start."""
    with tempfile.TemporaryDirectory() as tmp:
        path, program = os.path.join(tmp, "t"), os.path.join(tmp, "program")
        with open(program, "w") as f:
            f.write("no program\n")
        os.chmod(program, 0o755)
        for machine, option in ((LINUX, "--trace"), (VIRTUAL, "--trace"), (VIRTUAL, "--heat"),
                                (VIRTUAL, "--memory-map")):
            r = mpiexec(*machine, "-n", 2, option, path, program)
            expect(r.code == 126 and not os.path.exists(path), r)
            with open(path, "w") as f:
                f.write("old")
            r = mpiexec(*machine, "-n", 2, option, path, program)
            expect(r.code == 126, r)
            with open(path) as f:
                expect(f.read() == "old", r)
            os.unlink(path)


def a_refused_job_makes_no_files():
    """Nor does it take away one that happens to have the name of a report's own trace."""
    with tempfile.TemporaryDirectory() as tmp:
        path, kept = os.path.join(tmp, "t"), os.path.join(tmp, "t.trace")
        with open(kept, "w") as f:
            f.write("old")
        for option in ("--trace", "--heat", "--memory-map", "--report", "--chart"):
            for more in (("--report", path + "r", "--seed", "x"), ("-n", 300),
                         ("/no/such/program",)):
                r = mpiexec(*VIRTUAL, option, path, *more, PROBE)
                expect(r.code in (2, 127) and os.listdir(tmp) == ["t.trace"], (r, os.listdir(tmp)))
        mpiexec(*VIRTUAL, "--report", path, "-genv", "LWMPI_TRACE", kept, "/no/such/program")
        with open(kept) as f:
            expect(f.read() == "old", "it was there before")


def what_is_no_file_on_a_disk():
    """A pipe gets the trace when it is whole, also that of a report, with all that a file has."""
    for machine in (LINUX, VIRTUAL):
        r = mpiexec(*machine, "-n", 2, "--trace", "/dev/null", PROBE, "hello")
        expect(r.code == 0 and "--trace" not in r.err, r)
        r = mpiexec(*machine, "-n", 2, "--trace", "/dev/stdout", "-outfile-pattern", "/dev/null",
                    PROBE, "hello")
        expect(r.code == 0 and '"rank 1"' in r.out and json.loads(r.out)["traceEvents"], r)
        with tempfile.TemporaryDirectory() as tmp:
            path, page = os.path.join(tmp, "t"), os.path.join(tmp, "r.html")
            os.mkfifo(path)
            with subprocess.Popen(["cat", path], stdout=subprocess.PIPE, text=True) as reader:
                r = mpiexec(*machine, "-n", 2, "--report", page, "--trace", path, PROBE, "hello")
                text = reader.stdout.read()
            with open(page, encoding="utf-8") as f:
                expect('"name":"memory"' in f.read(), r)
        expect(r.code == 0 and "cannot" not in r.err, r)
        expect('"rank 1"' in text and json.loads(text)["traceEvents"], text)
    with open("/dev/full", "w") as full:
        p = start("-n", 2, *VIRTUAL, "--trace", "/proc/self/fd/%d" % full.fileno(), PROBE, "hello",
                  pass_fds=[full.fileno()], stdin=subprocess.DEVNULL)
        r = finish(p, 0)
    expect(r.code == 141 and "cannot write this file: No space left" in r.err, r)


cases(rows_are_the_ranks_calls, receives_name_their_senders_protocol,
      who_is_late_computes_and_the_others_wait, arrows_go_from_sends_to_receives,
      nothing_is_lost_where_it_is_shown, threads_of_a_rank_have_rows,
      the_io_rank_is_no_other_rank, requests_end_in_any_order, waits_name_the_protocol,
      sends_that_go_on_name_theirs,
      a_core_has_its_ranks_calls, rows_have_titles, numbers_over_time, bursts_show,
      who_receives_sends_nothing,
      the_latest_calls_are_kept, short_waits_have_a_cause, rows_end_with_the_job,
      a_refused_job_leaves_files, a_job_that_cannot_begin_leaves_files,
      a_refused_job_makes_no_files, what_is_no_file_on_a_disk,
      virtual_time_repeats)

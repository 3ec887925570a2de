# SPDX-License-Identifier: MIT
"""How jobs end: codes, aborts, crashes, kills, signals, time-outs; and that nothing is left."""
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as tree

from launch import (BIN, MPIEXEC, PATIENCE, PROBE, PROGRAMS, alive, cases, descendants, expect,
                    finish, mpiexec, start, soon, wait_for)

STOPPER = os.path.join(PROGRAMS, "stopper")
STACKS = os.path.join(PROGRAMS, "stacks")
LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
# Each process of a sanitizer's takes long to start and to end, and more of them show it nothing.
MANY = 48 if os.environ.get("SANITIZER") else 192
WAYS = (LINUX, SHARED, VIRTUAL)


def exit_code_of_the_program():
    for way in WAYS:
        expect(mpiexec("-n", 4, *way, PROBE, "hello").code == 0, way)
        r = mpiexec("-n", 4, *way, PROBE, "exit", 7, 2)
        expect(r.code == 7, r)
        expect(sorted(r.lines) == ["rank %d done" % i for i in range(4)], r)


def jobs_whose_computation_is_measured_end():
    """A sanitizer's allocator asks for the time, with a lock of all ranks of the process."""
    r = mpiexec("-n", 16, *VIRTUAL, "--compute=measured", "--timeout", 60, PROBE, "hello")
    expect(r.code == 0, r)


def exit_of_a_rank_before_finalize_ends_the_job():
    for way in WAYS:
        for how, code in ((0, 5), (1, 0), (2, 5)):
            r = mpiexec("-n", 4, *way, PROBE, "quit", code, 1, how)
            expect(r.code == (code or 1) and "rank 1" in r.err, r)
        for how in (3, 4):
            r = mpiexec("-n", 4, *way, PROBE, "quit", 0, 1, how)
            expect(r.code == 1 and "ended" in r.err, r)


def end_without_atexit_after_finalize_is_no_error():
    for way in WAYS:
        r = mpiexec("-n", 4, *way, PROBE, "exit", 0, 2, 1)
        expect(r.code == 0 and r.err == "" and len(r.lines) == 4, r)


def abort():
    for way in WAYS:
        r = mpiexec("-n", 4, *way, PROBE, "abort", 42, 2)
        expect(r.code == 42 and "rank 2" in r.err, r)


def memory_of_those_that_die():
    if "sanitize" in subprocess.run([os.path.join(BIN, "mpicc"), "--showme"], text=True,
                                    capture_output=True).stdout:
        return  # whose malloc is another
    for ranks in (1, 2):
        for number in (0, signal.SIGSEGV, signal.SIGABRT):
            job = ("-n", ranks, "--machine", "mini")
            r = mpiexec(*job, PROBE, "greedy", int(number))
            expect(r.code == (128 + number if number else 7), r)
            times = ("1 time,", "2 times,")[ranks - 1]
            expect(r.err.count("malloc said no %s first" % times) == 1, r)
            r = mpiexec(*job, "--memory", "report", "--stats", PROBE, "greedy", int(number))
            expect(r.code == (128 + number if number else 7), r)
            most = re.search(r"memory +(\d+) KB at most in a cluster", r.err)
            expect(int(most[1]) > 65536 * ranks, r)
            expect(len(re.findall(r"does not fit: cluster 0 needs \d+ KB more", r.err)) == 1, r)


def crash_is_named():
    for name in ("ASAN_OPTIONS", "TSAN_OPTIONS"):  # a sanitizer would take the signals itself
        os.environ[name] = ":".join(
            "handle_%s=0" % s for s in ("segv", "sigbus", "sigfpe", "sigill", "abort"))
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE):
        for way in WAYS:
            r = mpiexec("-n", 4, *way, PROBE, "crash", int(number), 3)
            expect(r.code == 128 + number, r)
            expect("signal %d" % number in r.err and "rank" in r.err, r)
            expect("rank 3 lives" in r.lines, r)
    r = mpiexec("-n", 4, PROBE, "crash", 11, 3)
    expect("rank 3 (cluster 3, process" in r.err, r)


def running_job(*args, **options):
    """A job whose ranks all wait, or are about to; returns mpiexec and the processes of the job."""
    virtual = "--machine" in args and "linux" not in args
    p = start(*args, PROBE, "loop" if virtual else "hang", stdin=subprocess.DEVNULL, **options)
    for i in range(int(args[1])):
        line = p.stdout.readline()
        expect(line.startswith("pid "), "rank %d of a job says: '%s'" % (i, line))
    return p, descendants(p.pid)


def killed_rank_ends_the_job_within_a_second():
    def kill():
        p, pids = running_job("-n", 4)
        begin = time.time()
        os.kill(pids[2], signal.SIGKILL)
        r = finish(p, begin)
        expect(r.code == 137, r)
        expect("rank 2 (cluster 2, process %d) was killed by signal 9" % pids[2] in r.err, r)
        expect(not any(map(alive, pids)), "left: %s" % pids)
        return r
    soon(1, kill)


def services_end_with_the_job():
    r = mpiexec("-n", 3, "--services", PROBE, "exit", 7, 2)
    expect(r.code == 7 and len(r.lines) == 3, r)
    soon(3, lambda: mpiexec("-n", 2, "--services", "/bin/true"))
    p, pids = running_job("-n", 3, "--services")
    wait_for(lambda: len(descendants(p.pid)) == 4, "the process of the services")
    pids = descendants(p.pid)
    os.kill(pids[0], signal.SIGKILL)  # it is started first
    r = finish(p, time.time())
    expect(r.code == 137 and "the services (cluster 3, process %d)" % pids[0] in r.err, r)
    expect(not any(map(alive, pids)), "left: %s" % pids)


def interrupts_end_everything():
    def interrupt(number, way):
        p, pids = running_job("-n", 4, *way)
        begin = time.time()
        p.send_signal(number)
        r = finish(p, begin)
        expect(r.code == 128 + number, r)
        expect(not any(map(alive, pids)), "left: %s" % pids)
        return r
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for way in (LINUX, VIRTUAL):
            soon(1, lambda: interrupt(number, way))


def death_of_mpiexec_ends_everything():
    for way in (LINUX, VIRTUAL):
        p, pids = running_job("-n", 4, *way)
        p.kill()
        wait_for(lambda: not any(map(alive, pids)), "the end of %s" % pids)
        p.communicate()


def further_runs_end_with_mpiexec():
    """Those of a sweep, and the second one of a proof: here they go on for ever."""
    ranks = "[ $LWMPI_SWEPT$LWMPI_PROOF ] && exec '%s' loop; exec '%s' uneven 0 1" % (PROBE, PROBE)
    for option in ("--sweep=LWMPI_SEED=1,2", "--prove"):
        p = start(option, "-n", 2, *VIRTUAL, "sh", "-c", ranks, stdin=subprocess.DEVNULL)
        wait_for(lambda: len(descendants(p.pid)) == 2, "the run of %s" % option)
        pids = descendants(p.pid)
        p.send_signal(signal.SIGTERM)
        p.wait(timeout=PATIENCE)
        wait_for(lambda: not any(map(alive, pids)), "the end of %s" % pids, 20)
        p.communicate()


def children_of_ranks_end_too():
    p = start("-n", 2, PROBE, "child", stdin=subprocess.DEVNULL)
    wait_for(lambda: len(descendants(p.pid)) == 3, "three processes")
    time.sleep(0.3)
    pids = descendants(p.pid)
    p.send_signal(signal.SIGINT)
    finish(p, time.time())
    expect(not any(map(alive, pids)), "left: %s" % pids)


def end_of(p, pid):
    """The result of mpiexec; if it hangs, process pid, which holds its pipes, goes as well."""
    begin = time.time()
    try:
        p.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.kill(pid, signal.SIGKILL)
    return finish(p, begin, timeout=20)


def signals_reach_the_ranks():
    for n, way in ((3, LINUX), (1, LINUX), (1, VIRTUAL)):
        p = start("-n", n, *way, PROBE, "signals", stdin=subprocess.DEVNULL)
        for _ in range(n):
            expect(p.stdout.readline().startswith("pid "), way)
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            p.send_signal(number)
            lines = sorted(p.stdout.readline() for _ in range(n))
            expect(lines == ["rank %d: signal %d\n" % (i, number) for i in range(n)], lines)
        p.send_signal(signal.SIGTERM)
        r = finish(p, time.time())
        want = ["rank %d: %s" % (i, what) for i in range(n) for what in ("saved", "signal 15")]
        expect(r.code == 143 and sorted(r.lines) == want and "ended by signal 15" in r.err, r)


def ranks_that_do_not_end_at_a_signal():
    """They are killed after a while, or when they are told twice."""
    for times, seconds in ((1, 2), (2, 0)):
        p = start("-n", 2, PROBE, "signals", 1, stdin=subprocess.DEVNULL)
        for _ in range(2):
            p.stdout.readline()
        pids, begin = descendants(p.pid), time.time()
        for _ in range(times):
            p.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        r = finish(p, begin)
        expect(r.code == 143 and r.seconds >= seconds, r)
        expect(not any(map(alive, pids)), "left: %s" % pids)


def stopped_child(*args):
    """mpiexec with its second process stopped before it becomes the program; that one's pid."""
    p = subprocess.Popen([STOPPER, "1", MPIEXEC, "-n", "3", *args], text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p, int(p.stderr.readline().split()[1])


def process_that_does_not_start():
    """It is neither waited for without end, nor lost when it goes on."""
    p, pid = stopped_child("--timeout", "1", PROBE, "hello")
    r = end_of(p, pid)
    expect(r.code == 124 and "time-out" in r.err and not alive(pid), r)
    p, pid = stopped_child("sh", "-c", "echo here")
    expect([p.stdout.readline() for _ in range(2)] == 2 * ["here\n"], "the others")
    os.kill(pid, signal.SIGCONT)
    r = end_of(p, pid)
    expect(r.code == 0 and r.lines == ["here"], r)


def times_out(way, what, first, words):
    """The time-out ends the job soon after it and tells these words. On a busy computer that takes
    a longer one: ranks have to come to where they wait."""
    for limit in (first, 4 * first, 16 * first, 64 * first):
        r = mpiexec("-n", 4, "--timeout", limit, *way, PROBE, what)
        expect(r.code == 124 and "time-out" in r.err and r.seconds >= limit, r)
        if r.seconds < limit + 3 and all(word in r.err for word in words):
            return
    raise AssertionError(str(r))


def timeout_reports_and_ends():
    for way in (LINUX, SHARED):
        times_out(way, "hang", 0.25, ["rank 0 waits for itself, 3 more for it"])
        times_out(("--verbose", *way), "hang", 0.25,
                  ["rank 0 waits for rank 0: MPI_Recv", "rank 3"])


def names_who_is_silent(words, *command):
    """A process that cannot say what it waits for is named at the time-out, with what the system
    says of it. It must have come that far, which takes longer on a busy computer."""
    for limit in (0.25, 1, 4, 16, 64):
        r = mpiexec("-n", 3, "--timeout", limit, *command)
        expect(r.code == 124, r)
        if re.search(words, r.err):
            break
    expect(re.search(words, r.err), r)
    return r


def timeout_names_who_is_silent():
    used = r", and has used \d+\.\d s of processor time"
    r = names_who_is_silent(r"rank 1 \(process \d+\) did not answer: the process is stopped by a "
                            r"signal \(T\)" + used, PROBE, "silent", 0)
    expect(r.err.count("did not answer") == 1, r)
    names_who_is_silent(r"rank 1 \(process \d+\) did not answer: the process runs \(R\)" + used,
                        PROBE, "silent", 2)
    for way in (LINUX, SHARED):
        r = names_who_is_silent(r"rank 1 runs; its process has used \d+\.\d s of processor time",
                                "--verbose", *way, PROBE, "silent", 1)
        expect("did not answer" not in r.err, r)
    for way in (LINUX, VIRTUAL):
        names_who_is_silent(r"wait for rank 1, which computes\n(.*\n)?  rank 1 computes at "
                            r"probe\.c:\d+\n", *way, PROBE, "busy")
    names_who_is_silent(r"rank 2 \(process \d+\) has not begun with MPI: the process sleeps in a "
                        r"call of the system \(S\)" + used, "sleep", 1000)
    names_who_is_silent(r"ranks 0-2 \(process \d+\) did not answer: the process is stopped",
                        *VIRTUAL, PROBE, "silent", 0)


def timeout_in_virtual_time_is_of_this_computer():
    times_out(("--verbose", *VIRTUAL), "loop", 0.5, ["report: machine mppa256"])


def deadlock_in_virtual_time_is_found():
    r = mpiexec("-n", 4, *VIRTUAL, PROBE, "hang")
    expect(r.code == 124 and "deadlock" in r.err and "rank 0" in r.err, r)


def report_on_request():
    with tempfile.NamedTemporaryFile() as told:
        p, pids = running_job("-n", 3, stderr=told)

        def all_told():  # who is not yet where he waits is asked once more
            p.send_signal(signal.SIGQUIT)
            time.sleep(0.2)
            with open(told.name) as f:
                text = f.read()
            return all("rank %d" % i in text for i in range(3))
        wait_for(all_told, "the reports of three ranks")
        expect(all(map(alive, pids)), "a rank ended at SIGQUIT")
        p.send_signal(signal.SIGINT)
        expect(finish(p, time.time()).code == 130, "SIGINT after SIGQUIT")


def forked_children_are_no_ranks():
    for how in (0, 1, 2):
        for way in WAYS:
            r = mpiexec("-n", 3, *way, PROBE, "fork", how)
            want = ["child of rank %d" % i for i in range(3)] + ["the end"] * 3
            want += ["rank %d: 3" % i for i in range(3)]
            expect(r.code == 0 and sorted(r.lines) == sorted(want), "%s %s" % (how, r))


def program_that_a_rank_starts():
    for way in WAYS:
        r = mpiexec("-n", 3, *way, PROBE, "start")
        expect(r.code == 0 and r.out == "rank 0 of 1\n", r)
        for value in "", "1":  # that of who started mpiexec
            r = mpiexec("-n", 3, *way, PROBE, "start", "hello; echo $LD_BIND_NOW",
                        env={**os.environ, "LD_BIND_NOW": value})
            expect(r.code == 0 and r.lines == ["rank 0 of 1", value], r)


def stacks():
    """A rank has the stack that the system gives a program, in virtual time as much as its cluster
    has memory left; running over it is named."""
    for way in WAYS:
        r = mpiexec("-n", 3, *way, STACKS, "deep", 500 if way == VIRTUAL else 5000)
        expect(r.code == 0 and r.err == "", r)
    r = mpiexec("-n", 3, *VIRTUAL, STACKS, "deep", 5000)
    expect(r.code == 139 and re.search(r"rank \d \(cluster 0\): stack overflow in deep: its stack "
                                       r"has \d{4} KB and needs \d+ bytes more", r.err), r)
    r = mpiexec("-n", 3, "--memory", "report", *VIRTUAL, STACKS, "deep", 5000)
    expect(r.code == 0 and re.search(r"does not fit: cluster 0 needs 1\d{4} KB more", r.err), r)
    os.environ["LWMPI_STACK"] = "262144"
    for way in WAYS:
        r = mpiexec("-n", 3, *way, STACKS, "deep", 100000)
        told = re.findall("^.*overflow.*: the stack has 25[6-9] KB.*$", r.err, re.MULTILINE)
        expect(r.code == 139 and told and "LWMPI_STACK" in told[0], r)
        expect(re.search(r"\brank \d", r.err), r)
        if way == VIRTUAL:
            expect(len(told) == 1 and re.search(r"rank \d \(.*overflow in deep", told[0]), r)
    del os.environ["LWMPI_STACK"]


def heat():
    with tempfile.TemporaryDirectory() as tmp:
        r = mpiexec("-n", 32, "--heat", "heat.svg", *VIRTUAL, PROBE, "pieces", 3, cwd=tmp)
        with open(tmp + "/heat.svg") as f:
            expect(r.code == 0 and "</svg>" in f.read(), r)


def drawn(way, number, *args):
    """A job that ends early: statistics, heat and memory are told all the same, once each."""
    with tempfile.TemporaryDirectory() as tmp:
        out = ("--stats", "--heat", "heat.svg", "--memory-map", "map.svg", *VIRTUAL)
        r = way(*out, "-n", 3, *args, cwd=tmp)
        expect(r.code == number and r.err.count("wall time") == 1 and
               r.err.count("the fullest cluster") == 1, r)
        for name in ("heat.svg", "map.svg"):
            expect(tree.parse(os.path.join(tmp, name)) is not None, name)


def interrupted(*args, **options):
    p = start(*args, stdin=subprocess.DEVNULL, **options)
    for _ in range(3):
        p.stdout.readline()
    begin = time.time()
    p.send_signal(signal.SIGINT)
    return finish(p, begin)


def machines_that_end_early_are_drawn():
    for number in (signal.SIGABRT, signal.SIGSEGV):
        drawn(mpiexec, 128 + number, PROBE, "crash", int(number), 1)
    if not os.environ.get("SANITIZER"):
        drawn(mpiexec, 128 + signal.SIGSEGV, STACKS, "deep", 5000)
    drawn(mpiexec, 124, "--timeout", 1, PROBE, "loop")
    drawn(mpiexec, 124, "--timeout", 1, PROBE, "busy")
    drawn(interrupted, 128 + signal.SIGINT, PROBE, "loop")


def drawings_of_machines_of_any_name():
    """What is XML stays so, and names the machine."""
    with tempfile.TemporaryDirectory() as tmp:
        with open(os.path.join(tmp, "a<b>&c.machine"), "w", encoding="utf-8") as file:
            file.write("include mini\n")
        r = mpiexec("-n", 4, "--machine", "./a<b>&c.machine", "--heat", "heat.svg", "--memory-map",
                    "map.svg", PROBE, "pieces", 1, cwd=tmp)
        expect(r.code == 0, r)
        for name in ("heat.svg", "map.svg"):
            texts = [t.text for t in tree.parse(os.path.join(tmp, name)).iter() if t.text]
            expect(any(" of a<b>&c" in t for t in texts), texts)


def on_a_terminal(*args):
    """mpiexec as the foreground job of a terminal of its own: its pid, our end of the terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(MPIEXEC, [MPIEXEC] + [str(a) for a in args])
    return pid, terminal


def read_terminal(terminal, good, seconds=PATIENCE):
    """What comes until the text is good, the time is over, or the terminal is closed."""
    text, end = "", time.time() + seconds
    while not good(text) and time.time() < end:
        try:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
        except OSError:
            break
    return text


def reports_of_the_key(terminal, good):
    """Presses Ctrl-\\ until the report is good: at the first time a rank may not yet wait."""
    for _ in range(10):
        os.write(terminal, b"\x1c")
        text = read_terminal(terminal, good, 5)
        if good(text):
            return text + read_terminal(terminal, lambda _: False, 0.5)  # and nothing after it
    raise AssertionError(text)


def keys_of_the_terminal():
    def all_three(text):
        return all("'rank %d'" % i in text for i in range(3))
    for way, what in ((LINUX, "hang"), (VIRTUAL, "loop")):
        pid, terminal = on_a_terminal("-n", 3, *way, PROBE, what)
        text = read_terminal(terminal, lambda text: len(re.findall(r"pid \d+\r\n", text)) == 3)
        pids = descendants(pid)
        expect(len(pids) == (1 if way is VIRTUAL else 3), "%s: %s" % (pids, text))
        # In virtual time some ranks run.
        text = reports_of_the_key(terminal, all_three if way is LINUX else lambda t: "report" in t)
        expect(all(map(alive, pids)) and "report" in text, text)
        if way is LINUX:  # one report of each rank
            expect(all(text.count("'rank %d'" % i) == 1 for i in range(3)), text)
        os.write(terminal, b"\x03")  # Ctrl-C
        text = read_terminal(terminal, lambda _: False)
        status = os.waitpid(pid, 0)[1]
        expect(os.WEXITSTATUS(status) == 130, "%x %s" % (status, text))
        expect(not any(map(alive, pids)) and "killed by signal" not in text, text)
        os.close(terminal)


def two_jobs_side_by_side():
    jobs = [start("-n", 4, PROBE, "pieces", 200, stdin=subprocess.DEVNULL) for _ in range(3)]
    hang, pids = running_job("-n", 3)
    for job in jobs:
        r = finish(job, time.time())
        expect(r.code == 0 and len(r.lines) == 804, r)
    hang.send_signal(signal.SIGTERM)
    finish(hang, time.time())
    expect(not any(map(alive, pids)), "left: %s" % pids)


def many_ranks():
    all_said = sorted("rank %d of %d" % (i, MANY) for i in range(MANY))
    r = mpiexec("-n", MANY, PROBE, "hello")
    expect(r.code == 0 and sorted(r.lines) == all_said, r)
    r = mpiexec("-n", 5 * MANY, "--ranks-per-cluster", 5 * MANY // 2, PROBE, "hello")
    expect(r.code == 0 and len(set(r.lines)) == 5 * MANY, r)
    r = mpiexec("-n", 2, "--machine", "pulp", PROBE, "hello")
    expect(r.code != 0 and r.err.count("\n") == 1, r)
    r = mpiexec("-n", MANY, *VIRTUAL, PROBE, "hello")
    expect(r.code == 0 and sorted(r.lines) == all_said, r)


def stats():
    r = mpiexec("-n", 4, "--stats", *VIRTUAL, PROBE, "hello")
    for word in ("mppa256", "fluid", "cycles", " J:", "wall time", "events", "memory",
                 "compact"):
        expect(r.code == 0 and word in r.err, "no %s: %s" % (word, r))
    r = mpiexec("-n", 4, "--stats", "--map", "scatter", *SHARED, PROBE, "hello")
    for word in ("linux", "scatter", "time", "no model", "2 clusters"):
        expect(r.code == 0 and word in r.err, "no %s: %s" % (word, r))


def computation_that_does_not_count():
    """Said once, where it is so and the program has not said how much it is."""
    note = "computation "
    r = mpiexec("-n", 3, *VIRTUAL, PROBE, "compute")
    expect(r.code == 0 and r.err.count(note) == 1 and r.err.count("\n") == 1, r)
    expect("MPI_Pcontrol" in r.err and "did not say how much" in r.err, r)
    r = mpiexec("-n", 3, "--stats", *VIRTUAL, PROBE, "compute")
    expect(r.code == 0 and r.err.count(note) == 1 and "lwmpi: computation " in r.err, r)
    lines = 1000 if os.environ.get("SANITIZER") else 20000  # what it adds to printf is no library's
    for quiet in ([*VIRTUAL, PROBE, "compute", 1], [*LINUX, PROBE, "compute"],
                  [*VIRTUAL, PROBE, "flood", lines], [*VIRTUAL, PROBE, "pieces", lines // 10]):
        r = mpiexec("-n", 3, *quiet)
        expect(r.code == 0 and note not in r.err, "%s %s" % (quiet, r.err[:500]))


cases(exit_code_of_the_program, jobs_whose_computation_is_measured_end,
      exit_of_a_rank_before_finalize_ends_the_job, end_without_atexit_after_finalize_is_no_error,
      abort, memory_of_those_that_die, crash_is_named, killed_rank_ends_the_job_within_a_second,
      services_end_with_the_job, interrupts_end_everything, process_that_does_not_start,
      signals_reach_the_ranks, ranks_that_do_not_end_at_a_signal, death_of_mpiexec_ends_everything,
      further_runs_end_with_mpiexec, children_of_ranks_end_too, timeout_reports_and_ends,
      timeout_names_who_is_silent, timeout_in_virtual_time_is_of_this_computer,
      deadlock_in_virtual_time_is_found, report_on_request, keys_of_the_terminal,
      forked_children_are_no_ranks, program_that_a_rank_starts, stacks, heat,
      drawings_of_machines_of_any_name, machines_that_end_early_are_drawn, two_jobs_side_by_side,
      many_ranks, stats, computation_that_does_not_count)

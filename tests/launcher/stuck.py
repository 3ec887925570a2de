# SPDX-License-Identifier: MIT
"""The report of ranks that wait for each other, or for whom the others wait: in a few lines."""
import os
import re
import shutil
import tempfile

from launch import PROBE, PROGRAMS, cases, expect, mpiexec

STUCK = os.path.join(PROGRAMS, "stuck")
SLOTS = os.path.join(PROGRAMS, "slots")
UNRECEIVED = os.path.join(PROGRAMS, "unreceived")
LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
MANY = 48 if os.environ.get("SANITIZER") else 192


def lines_of_report(err):
    """Of the short report: it begins with the title and ends with how to see more."""
    lines = err.splitlines()
    first = [i for i, line in enumerate(lines) if "wait for" in line or "waits for" in line][0]
    last = lines.index("  details: --verbose")
    expect(lines[last + 1:] == [] and last - first < 5, err)
    return lines[first:]


def stands(ranks, way, what, title, program=PROBE):
    """A job that stands when its time is up, and the lines of its report. On a busy computer it
    takes longer until all ranks have come to where they wait: in MPI_Init they wait for each other,
    too. In virtual time the job ends by itself, which the time-out must not cut short."""
    for limit in (1, 4, 16, 64) if VIRTUAL[1] in way else (0.25, 1, 4, 16, 64):
        r = mpiexec("-n", ranks, "--timeout", limit, *way, program, what)
        expect(r.code == 124, r)
        if re.search(title, r.err, re.MULTILINE) and "MPI_Init" not in r.err:
            return r, lines_of_report(r.err)
    raise AssertionError(str(r))


def call_chains_have_names_wherever_the_program_lies():
    """Of the first rank, and of the second, whose code is mapped from the file once more."""
    with tempfile.TemporaryDirectory(prefix="a folder ") as tmp:
        program = shutil.copy(STUCK, tmp)
        r = mpiexec("-n", 2, "--machine", "mini", program, "either",
                    env={**os.environ, "LWMPI_VERBOSE": "1"})
    chains = [line for line in r.err.splitlines() if "MPI_Waita" in line and " in " in line]
    expect(r.code == 124 and len(chains) == 2, r)
    for chain in chains:
        expect(re.search(r" < either < main < | < main < ", chain) and "+0x" not in chain, chain)


def cycles_are_told_in_a_few_lines():
    """Who waits for whom, from where, and what almost matched; on both machines, also by ranks that
    ask again and again."""
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(4, way, "crossed",
                          "ranks 0 -> 1 -> 0 wait for each other, 2 more for them$")
        expect(re.match(r"  rank 0: MPI_Recv, peer 1, tag 2, 4 bytes, MPI_COMM_WORLD at "
                        r"probe\.c:\d+$", lines[1]), r)
        expect(re.match(r"  rank 1: MPI_Recv, peer 0, tag 2, .* at probe\.c:\d+$", lines[2]), r)
        expect(lines[3] == "  almost matched: rank 0 sent tag 1 to rank 1, which asked for rank 0, "
               "tag 2", r)
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(2, way, "spinning", "ranks 0 -> 1 -> 0 wait for each other")
        # "peer" and more while a call is under way, "rank" between calls.
        expect(re.search("rank 0 asks again and again: MPI_Iprobe, (rank|peer) 1, tag 7", lines[1]),
               r)
        expect(re.search("rank 1 asks again and again: MPI_Test, (rank|peer) 0, tag 8", lines[2]),
               r)
    # A rank that is interrupted in another library, which keeps no frame pointers, as those of
    # sanitizers and the system's clock do not, cannot tell from where it came there.
    for _ in range(6):
        r, lines = stands(2, VIRTUAL, "spinning", "ranks 0 -> 1 -> 0 wait for each other")
        if re.search(r"at probe\.c:\d+$", lines[1]):
            return
    raise AssertionError(str(r))


def what_is_still_missing_is_told():
    """Of several messages the first that has not come; and what a collective sends is not what a
    program could have received."""
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(2, way, "partly", "ranks 0 -> 1 -> 0 wait for each other")
        expect(lines[1].startswith("  rank 0: MPI_Waitall, peer 1, tag 4, 4 bytes"), r)
        r, lines = stands(4, way, "anybody", "ranks 0 -> 1 -> 0 wait for each other")
        expect(lines[1].startswith("  rank 0: MPI_Recv, peer any, tag any") and
               "almost" not in r.err, r)


def any_of_several_tells_what_almost_matched():
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(2, way, "either", "ranks 0 -> 1 -> 0 wait for each other", STUCK)
        expect(lines[2].startswith("  rank 1: MPI_Waitany, peer any, tag any"), r)
        expect(lines[3] == "  almost matched: rank 0 sent tag 3 to rank 1, which asked for rank 0, "
               "tag 4", r)


def any_of_several_waits_for_those_it_names():
    """Not for others of the communicator, which may wait for it, too."""
    for way in (VIRTUAL, LINUX, SHARED):
        stands(4, way, "named", "ranks 0 -> 2 -> 0 wait for each other, 2 more for them$", STUCK)


def any_of_several_communicators_names_none():
    """Nor are the members of the first one those that it waits for."""
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(2, way, "several", "ranks 0 -> 1 -> 0 wait for each other", STUCK)
        expect(re.match(r"  rank 0: MPI_Waitany, rank any, tag any at stuck\.c:\d+$", lines[1]), r)
        expect(re.match("  rank 1 asks again and again: MPI_Testany, rank any, tag any( at|$)",
                        lines[2]), r)
        expect(lines[3] == "  almost matched: rank 1 sent tag 6 to rank 0, which asked for rank 1, "
               "tag 5", r)


def intercommunicators_are_told_as_such():
    for way in (VIRTUAL, LINUX, SHARED):
        for what in "dup", "split":
            r, lines = stands(2, way, "between-" + what, "ranks 0 -> 1 -> 0 wait for each other",
                              STUCK)
            expect("bytes, an intercommunicator made by MPI_Comm_%s at" % what in lines[1], r)


def who_asks_any_rank_asks_those_of_the_communicator():
    """Of any source again and again: the others of the communicator, which is named."""
    for way in (VIRTUAL, LINUX, SHARED):
        for what, call in (("iprobe", "Iprobe"), ("improbe", "Improbe"), ("test", "Test")):
            r, lines = stands(5, way, "poll-" + what, "ranks 0 -> 2 -> 0 wait for each other",
                              STUCK)
            expect(re.search(f"rank 0 asks again and again: MPI_{call}, (rank|peer) any, tag 6, "
                             "(4 bytes, )?half( at|$)", lines[1]), r)
        r, lines = stands(2, way, "poll-self", "rank 0 waits for nobody of the job", STUCK)
        expect("MPI_COMM_SELF" in lines[1], r)


def collectives_that_go_on_are_no_cycle():
    """Whichever ranks are further than others when the time is up."""
    for way in (VIRTUAL, LINUX, SHARED):
        for what in ("collectives", "collectives-nonblocking"):
            for limit in (0.5, 0.6, 0.7, 2):
                r = mpiexec("-n", 3, "--timeout", limit, *way, STUCK, what)
                expect(r.code == 124 and "wait for each other" not in r.err, r)
            if "MPI_Init" not in r.err:
                expect(re.search("is where all have come, and may go on$|, which computes$"
                                 "|no rank waits for", r.err, re.MULTILINE), r)


def who_makes_a_communicator_tells_no_message():
    for way in (VIRTUAL, LINUX, SHARED):
        r, lines = stands(2, way, "duplicate", "ranks 0 -> 1 -> 0 wait for each other",
                          STUCK)
        expect(re.match(r"  rank 0: MPI_Comm_dup, rank 1 at stuck\.c:\d+$", lines[1]), r)


def sends_that_nobody_receives_are_told():
    """Wherever the rank waits for them, with file and line of the send; also if the program has
    given the request, or the communicator, back."""
    cases = (("wait", "MPI_Waitall, peer 1, tag 9, 100000 bytes, halo", 100000, "halo"),
             ("exchange", "MPI_Wait, peer 1, tag 9, 100000 bytes, halo", 100000, "halo"),
             ("finalize", "MPI_Finalize", 100000, "halo"),
             ("free", "MPI_Finalize", 100000, "a communicator since freed"),
             ("session", "end of the program", 100000, "a communicator since freed"),
             ("detach", "MPI_Buffer_detach", 99000, "halo"),
             ("flush", "MPI_Comm_flush_buffer, halo", 99000, "halo"))
    for way in (VIRTUAL + ["--ranks-per-cluster", 1], LINUX):
        for what, call, n, name in cases:
            r, lines = stands(2, way, what, "ranks 0 -> 1 -> 0 wait for each other", UNRECEIVED)
            expect(lines[1].startswith("  rank 0: " + call), r)
            expect(re.match(f"  not received: rank 0 sent rank 1 a message of tag 9, {n} bytes, "
                            f"{name} at unreceived\\.c:\\d+$", lines[3]), r)


def slots_of_the_paper():
    """Sends that wait for a slot let those to other clusters pass; where a slot never comes the
    report says so."""
    job = ("-n", 20, *VIRTUAL, "-genv", "LWMPI_PROTOCOLS=paper-opt", "--check=no", SLOTS)
    r = mpiexec(*job)
    expect(r.code == 0, r)
    r = mpiexec(*job, "stuck")
    expect(r.code == 124 and "ranks 0 -> 1 -> 0 wait for each other" in r.err, r)
    expect("  rank 0 waits for one of the 64 slots that its cluster has with "
           "LWMPI_PROTOCOLS=paper-opt, " in r.err, r)
    expect("; LWMPI_PROTOCOLS=adaptive needs none\n" in r.err, r)
    r = mpiexec("-n", 20, *VIRTUAL, SLOTS, "stuck")
    expect(r.code == 0, r)


def long_cycles_are_short_too():
    r = mpiexec("-n", MANY, *VIRTUAL, PROBE, "ring")
    lines = lines_of_report(r.err)
    ring = "0 -> 1 -> 2 -> ... -> %d -> %d -> 0 wait for each other" % (MANY - 2, MANY - 1)
    expect(ring in lines[0], r)
    alike = "  rank 0 (and %d more alike): MPI_Recv, peer 1, tag 3" % (MANY - 1)
    expect(lines[1].startswith(alike), r)
    r = mpiexec("-n", MANY, "--verbose", *VIRTUAL, PROBE, "ring")
    expect('thread "rank %d" waits for' % (MANY - 1) in r.err, r)
    expect(len(r.err.splitlines()) > 1.5 * MANY, r)


cases(call_chains_have_names_wherever_the_program_lies, cycles_are_told_in_a_few_lines,
      what_is_still_missing_is_told, any_of_several_tells_what_almost_matched,
      any_of_several_waits_for_those_it_names, any_of_several_communicators_names_none,
      intercommunicators_are_told_as_such, who_asks_any_rank_asks_those_of_the_communicator,
      collectives_that_go_on_are_no_cycle, who_makes_a_communicator_tells_no_message,
      sends_that_nobody_receives_are_told, slots_of_the_paper, long_cycles_are_short_too)

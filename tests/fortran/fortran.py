# SPDX-License-Identifier: MIT
"""fortran.py BIN PROGRAMS SOURCES: Fortran programs, built by mpifort, on both machines."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "launcher"))
from launch import BIN, cases, expect, mpiexec  # noqa: E402

SOURCES = sys.argv[3]
# Ranks as processes, ranks sharing processes, ranks sharing one process in virtual time.
WAYS = ([], ["--ranks-per-cluster", 3], ["--machine", "mppa256"])


def build(folder, source, wrapper="mpifort", options=(), port="linux"):
    program = os.path.join(folder, "program")
    r = subprocess.run([os.path.join(BIN, wrapper), "-Wall", "-J" + folder, *options,
                        os.path.join(SOURCES, source), "-o", program],
                       capture_output=True, text=True, timeout=150,
                       env=dict(os.environ, LWMPI_PORT=port))
    expect(r.returncode == 0, r.stderr)
    expect("warning" not in r.stderr.lower() or wrapper != "mpifort", r.stderr)
    return program


def everywhere(program):
    """Its results, with 1 and 5 ranks on each machine."""
    for n in (1, 5):
        for way in WAYS:
            yield n, mpiexec("-n", n, *way, program)


def module_mpi():
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "module.f90")
        for n, r in everywhere(program):
            want = ["rank %d of %d" % (i, n) for i in range(n)]
            expect(r.code == 0 and r.err == "" and sorted(r.lines) == want, r)
        r = mpiexec("-n", 3, "-l", "--machine", "mppa256", program)
        expect(sorted(r.lines) == ["[%d] rank %d of 3" % (i, i) for i in range(3)], r)


def arguments():
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "arguments.f90")
        for _, r in everywhere(program):
            expect(r.code == 0 and r.out == "" and r.err == "", r)


def include_mpif():
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "old.f", "mpif77")
        for way in WAYS:
            r = mpiexec("-n", 4, *way, program)
            expect(r.code == 7 and "STOP 7" in r.err and "signalling:\n" not in r.err, r)
            expect(sorted(r.out.split()) == sorted(["old"] * 4 + list("0123") + ["4"] * 4), r)
            r = mpiexec("-n", 4, "-outfile-pattern", "%r", *way, program, cwd=tmp)
            for rank in range(4):
                with open("%s/%d" % (tmp, rank)) as f:
                    expect(f.read().split() == ["old", str(rank), "4"], r)


def variables_of_ranks():
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "own.f90")
        for way in WAYS:
            r = mpiexec("-n", 5, *way, program, cwd=tmp)
            expect(r.code == 0 and r.err == "", r)
            expect(sorted(r.lines) == ["ok %d" % i for i in range(5)], r)


# Fortran's run-time library as a library, and in the program.
LINKS = (["-g"], ["-g", "-static-libgfortran"])


def line(word):
    """"stuck.f90:12" of a line that has this comment."""
    with open(os.path.join(SOURCES, "stuck.f90")) as f:
        return next("stuck.f90:%d" % n for n, text in enumerate(f, 1)
                    if text.endswith("! %s\n" % word))


def timeout_reports():
    """The run-time library's handler of SIGQUIT would end the job with a backtrace."""
    with tempfile.TemporaryDirectory() as tmp:
        for link in LINKS:
            program = build(tmp, "stuck.f90", options=link)
            for way in WAYS:
                r = mpiexec("-n", 3, *way, "--timeout", 1, program)
                expect(r.code == 124 and "Backtrace" not in r.err, r)
                expect("wait for rank 0, which computes" in r.err, r)


def handlers_of_the_program_stay():
    with tempfile.TemporaryDirectory() as tmp:
        for link in LINKS:
            program = build(tmp, "quit.f90", options=link)
            for way in WAYS:
                r = mpiexec("-n", 1, *way, program)
                expect(r.code == 0 and r.err == "" and r.lines == ["handled", "goes on"], r)


def static_programs():
    """With units of their own, and to their ends, at which the run-time library closes them."""
    with tempfile.TemporaryDirectory() as tmp:
        for port, way in ("linux", []), ("sim", ["--machine", "mppa256"]):
            for source, want in ("module.f90", "rank 0 of 1"), ("own.f90", "ok 0"):
                program = build(tmp, source, options=["-static"], port=port)
                r = mpiexec("-n", 1, *way, program, cwd=tmp)
                expect(r.code == 0 and r.err == "" and r.lines == [want], r)


def static_programs_report():
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "stuck.f90", options=["-static"])
        r = mpiexec("-n", 2, "--timeout", 1, program, "ring")
        expect(r.code == 124 and "Backtrace" not in r.err and "waits for" in r.err, r)
        program = build(tmp, "quit.f90", options=["-static"])
        r = mpiexec("-n", 1, program)
        expect(r.lines == ["handled", "goes on"], r)


def lines_are_the_programs():
    """Those of the calls of MPI, not of the binding, which is linked into the program."""
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "stuck.f90", options=["-g"])
        for way in WAYS:
            r = mpiexec("-n", 3, *way, "--timeout", 1, "--profile", program, "ring")
            expect(r.code == 124 and "MPI_COMM_WORLD at " + line("receives") in r.err, r)
            expect("MPI_Barrier at " + line("meets") in r.out + r.err, r)


def gdb_names_lines_of_the_program():
    if shutil.which("gdb") is None:
        return
    words = ["set debuginfod enabled off", "set startup-with-shell off",
             "set breakpoint pending on"]
    gdb = ["gdb", "-nx", "-batch", *(w for c in words for w in ("-iex", c))]
    gdb += [w for c in ("break sim_report_deadlock", "run", "info ranks") for w in ("-ex", c)]
    with tempfile.TemporaryDirectory() as tmp:
        program = build(tmp, "stuck.f90", options=["-g"])
        r = mpiexec("-n", 3, "--machine", "mppa256", *gdb, "--args", program, "ring")
        places = re.findall(r"(\S+) \((\S+:\d+)\) +waits in MPI_Recv", r.out)
        expect(places == [("stuck::receive", line("receives"))] * 3, r)


def questions():
    mpifort = os.path.join(BIN, "mpifort")
    shown = subprocess.run([mpifort, "--showme"], capture_output=True, text=True, check=True).stdout
    expect(re.search(r"gfortran.* -I\S+ .*-lmpi_abi_fortran .*-lmpi_abi", shown), shown)


if shutil.which("gfortran") is None:
    sys.exit("fortran: there is no gfortran (./lwmpi test and ./lwmpi check install it)")
cases(module_mpi, arguments, include_mpif, variables_of_ranks, timeout_reports,
      handlers_of_the_program_stay, static_programs, static_programs_report, lines_are_the_programs,
      gdb_names_lines_of_the_program, questions)

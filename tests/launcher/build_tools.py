# SPDX-License-Identifier: MIT
"""mpicc and mpicxx; programs with globals; profiling libraries; programs that load MPI."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from launch import BIN, MPIEXEC, PATIENCE, PROGRAMS, cases, expect, finish, mpiexec, start

HERE = os.path.dirname(os.path.abspath(__file__))
MPICC = os.path.join(BIN, "mpicc")

PROGRAM = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int n;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    printf("%d ranks\\n", n);
    return MPI_Finalize();
}
"""
PROFILER = """#include <mpi.h>
#include <stdio.h>
int MPI_Comm_size(MPI_Comm comm, int *n)
{
    int e = PMPI_Comm_size(comm, n);
    fprintf(stderr, "profiled\\n");
    return e;
}
"""
LIBRARY = """#include <mpi.h>
int known = -1;
int before(void)
{
    static int calls;
    MPI_Comm_rank(MPI_COMM_WORLD, &known);
    return calls++;
}
"""


def run(*args, **options):
    return subprocess.run([str(a) for a in args], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE, **options)


def good(*args, **options):
    r = run(*args, **options)
    if r.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (args, r.returncode, r.stderr))
    return r.stdout


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def compiles_in_paths_with_spaces():
    with tempfile.TemporaryDirectory() as tmp:
        folder = tmp + "/a folder's name"
        os.mkdir(folder)
        write(folder + "/my prog.c", PROGRAM)
        good(MPICC, folder + "/my prog.c", "-o", folder + "/my prog")
        r = mpiexec("-n", 3, folder + "/my prog")
        expect(r.code == 0 and r.out == "3 ranks\n" * 3, r)
        expect(run(folder + "/my prog").stdout == "1 ranks\n", "alone")
        good(MPICC, "-c", folder + "/my prog.c", "-o", folder + "/my prog.o")
        good(MPICC, folder + "/my prog.o", "-o", folder + "/second")
        expect("MPI_Comm_size" in good(MPICC, "-E", folder + "/my prog.c"), "-E")
        expect(mpiexec("-n", 2, folder + "/second").out == "2 ranks\n" * 2, "two steps")


def answers_questions():
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/p.c", PROGRAM)
        compile_flags = shlex.split(good(MPICC, "--showme:compile"))
        link_flags = shlex.split(good(MPICC, "--showme:link"))
        compiler = shlex.split(good(MPICC, "--showme:command"))
        good(*compiler, *compile_flags, tmp + "/p.c", *link_flags, "-o", tmp + "/p")
        expect(mpiexec("-n", 2, tmp + "/p").out == "2 ranks\n" * 2, "by --showme:compile and link")
        for question in ("-show", "--showme"):
            shown = shlex.split(good(MPICC, question, tmp + "/p.c", "-o", tmp + "/q"))
            good(*shown)
            expect(mpiexec("-n", 2, tmp + "/q").out == "2 ranks\n" * 2, question)
        text = r'-DTEXT="a\nb\c"'
        expect(text in shlex.split(good(MPICC, "-show", text, tmp + "/p.c")), "-show " + text)
        expect("-I" in good(MPICC, "-compile_info"), "-compile_info")
        expect("-lmpi_abi" in good(MPICC, "-link_info"), "-link_info")
        for one, other in (("-compile-info", "-compile_info"), ("-link-info", "-link_info"),
                           ("-showme:libs", "--showme:libs")):
            expect(good(MPICC, one) == good(MPICC, other), one)
        folder = os.path.dirname(MPICC)
        for name in ("mpicxx", "mpic++", "mpiCC"):
            expect(good(folder + "/" + name, "-show").startswith("c++ "), name)
        r = run(folder + "/mpirun", "-np", "2", tmp + "/p")
        expect(r.returncode == 0 and r.stdout == "2 ranks\n" * 2, r)
        expect("lwmpi" in good(MPICC, "--showme:version"), "version")
        expect(run(MPICC, "--showme:nonsense").returncode != 0, "unknown question")
        expect(run(MPICC).returncode != 0, "no arguments")
        expect(good(MPICC, "--version") == good(*compiler, "--version"), "--version")


def another_compiler():
    for name in ("LWMPI_CC", "MPICH_CC", "OMPI_CC"):
        r = run(MPICC, "one", "two three", env={**os.environ, name: "echo -x"})
        expect(r.stdout.startswith("-x one two three -I"), r.stdout)
    for name, option in (("mpicc", "-cc"), ("mpicxx", "-cxx"), ("mpifort", "-fc")):
        wrapper = os.path.join(BIN, name)
        if os.path.exists(wrapper):
            r = run(wrapper, "one", option + "=echo -y", "two", env={**os.environ, "LWMPI_CC": "x"})
            expect(r.stdout.startswith("-y one two -I"), r.stdout)
    r = run(MPICC, "p.c", env={**os.environ, "LWMPI_CC": "nobody -x"})
    expect(r.returncode == 127 and r.stderr.startswith("mpicc: no such compiler: nobody "), r)
    r = run(MPICC, "-static", "p.c", env={**os.environ, "LWMPI_PORT": "mini"})
    expect(r.returncode == 2 and "LWMPI_PORT=mini: " in r.stderr and "sim" in r.stderr, r)


def profiling_by_interposition():
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/p.c", PROGRAM)
        write(tmp + "/profiler.c", PROFILER)
        good(MPICC, tmp + "/p.c", tmp + "/profiler.c", "-o", tmp + "/static")
        good(MPICC, "-shared", "-fPIC", tmp + "/profiler.c", "-o", tmp + "/libprofiler.so")
        good(MPICC, tmp + "/p.c", "-o", tmp + "/p")
        for machine in ("linux", "mini"):
            r = mpiexec("-n", 2, "--machine", machine, tmp + "/static")
            expect(r.code == 0 and r.err == "profiled\n" * 2, r)
            if "sanitize" not in good(MPICC, "--showme"):
                r = mpiexec("-n", 2, "--machine", machine, "-x",
                            "LD_PRELOAD=" + tmp + "/libprofiler.so", tmp + "/p")
                expect(r.code == 0 and r.err == "profiled\n" * 2, r)


def static_programs():
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/p.c", PROGRAM)
        for port, machine, other in (("linux", "linux", "mini"), ("sim", "mini", "linux")):
            good(MPICC, "-static", "-O2", tmp + "/p.c", "-o", tmp + "/p",
                 env={**os.environ, "LWMPI_PORT": port})
            r = mpiexec("-n", 3, "--machine", machine, tmp + "/p")
            expect(r.code == 0 and r.out == "3 ranks\n" * 3, r)
            r = mpiexec("-n", 3, "--machine", other, tmp + "/p")
            expect(r.code != 0 and "LWMPI_MACHINE" in r.err, r)
        r = mpiexec("-n", 3, "--machine", "mini", "--memory-map", tmp + "/map.svg", tmp + "/p")
        expect(r.code == 0 and "--memory-map %s/map.svg: not drawn: " % tmp in r.err, r)


def installed_and_moved():
    """What cmake --install copies is complete, and works where it lies."""
    with tempfile.TemporaryDirectory() as tmp:
        good("cmake", "--install", os.path.dirname(BIN), "--prefix", tmp + "/made")
        os.rename(tmp + "/made", tmp + "/moved")
        for text in "LICENSE", "README.md", "docs/mpiexec.md":
            expect(os.path.isfile(tmp + "/moved/share/doc/lwmpi/" + text), text)
        write(tmp + "/prog.c", PROGRAM)
        there = tmp + "/moved/bin/"
        env = {k: v for k, v in os.environ.items()
               if k not in ("LWMPI_MACHINES", "LWMPI_COMPUTE")}
        for option in [], ["-static"]:
            good(there + "mpicc", *option, tmp + "/prog.c", "-o", tmp + "/prog", env=env)
            out = good(there + "mpirun", "-n", 2, tmp + "/prog", env=env)
            expect(out == "2 ranks\n" * 2, out)
        for option in [], ["--count"]:
            good(there + "mpicc", *option, tmp + "/prog.c", "-o", tmp + "/prog", env=env)
            r = run(there + "mpiexec", "-n", 3, "--machine", "mini", "--stats", tmp + "/prog",
                    env=env)
            expect(r.stdout == "3 ranks\n" * 3, r)
            expect(("counted: " in r.stderr) == (option != []), r)
        r = run(there + "mpiexec", "-n", 2, "--profile", tmp + "/prog", env=env)
        expect(r.returncode == 0 and "profile: 2 ranks" in r.stderr, r)
        os.remove(tmp + "/moved/lib/liblwmpi_profile.so")
        r = run(there + "mpiexec", "-n", 2, "--profile", tmp + "/prog", env=env)
        expect(r.returncode == 126 and r.stdout == "" and
               "liblwmpi_profile.so: cannot read this library" in r.stderr, r)


def what_users_need_is_a_target():
    """./lwmpi build links all libraries that a build of everything leaves in lib, which
    cmake --install copies."""
    def linked(target):
        commands = good("ninja", "-C", os.path.dirname(BIN), "-t", "commands", target)
        return set(re.findall(r" -o (lib/\S+)", commands))
    expect(linked("all") and linked("all") <= linked("commands"),
           linked("all") - linked("commands"))


def what_the_libraries_export():
    """MPI_X weak, PMPI_X strong, all that mpi.h declares; and the C library's routines that the
    image stands before, nothing else."""
    with open(os.path.join(HERE, "../../libmpi/include/mpi.h")) as f:
        declared = set(re.findall(r"\bP?MPI_[A-Za-z0-9_]+(?=\()", f.read()))
    for port in ("linux", "sim"):
        library = os.path.join(BIN, "../lib", port, "libmpi_abi.so.1")
        exported = dict(line.split()[2:0:-1] for line in good("nm", "-D", library).splitlines()
                        if line.split()[-2] in "TWDBV" and len(line.split()) == 3)
        mpi = {name for name in exported if name.startswith(("MPI_", "PMPI_"))}
        missing = {name for name in declared if name in mpi or "P" + name in declared} - mpi
        expect(not missing and len(mpi) > 1300, "%s lacks %s" % (port, sorted(missing)[:9]))
        expect(all(exported[n] == ("T" if n[0] == "P" else "W") for n in mpi), "weak and strong")
        rest = set(exported) - mpi
        services = {name for name in rest if name.startswith("svc_")}
        expect("svc_name_link" in services and not any("server" in name for name in services), rest)
        rest -= services
        memory = {"malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc",
                  "posix_memalign", "valloc", "pvalloc", "malloc_usable_size",
                  "sigaction", "sigprocmask", "pthread_sigmask", "system", "popen",
                  "fork", "posix_spawn", "posix_spawnp"}  # those: stacks grow by signals
        expect(rest & memory == (memory if port == "sim" else set()), rest)
        rest -= memory
        expect(rest == {"MPIX_Last_way", "image_computed", "image_debug", "image_debug_begins",
                        "image_fortran", "image_fortran_begins", "image_fortran_site",
                        "image_is_io_rank", "signal", "__libc_start_main", "exit", "_exit",
                        "_Exit", "quick_exit", "fflush",
                        "fileno", "dladdr", "write", "writev", "rand", "srand", "random", "srandom",
                        "drand48", "lrand48", "mrand48", "srand48", "strtok", "getopt",
                        "getopt_long", "getopt_long_only", "sleep", "usleep", "nanosleep",
                        "clock_nanosleep", "select", "poll", "sched_yield", "clock_gettime",
                        "gettimeofday", "time", "clock", "__cxa_thread_atexit_impl",
                        "pthread_create", "thrd_create", "_ZNSt8ios_base15sync_with_stdioEb"}, rest)
        expect("SONAME" in good("readelf", "-d", library), port)


def static_programs_that_a_signal_ends():
    """What a machine in virtual time tells at its end."""
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/p.c", PROGRAM.replace("printf", "for (puts(\"begins\");;) printf")
              .replace("%d ranks\\n", "%.0d"))
        good(MPICC, "-static", tmp + "/p.c", "-o", tmp + "/p",
             env={**os.environ, "LWMPI_PORT": "sim"})
        p = start("-n", 1, "--machine", "mini", "--stats", "--heat", tmp + "/heat.svg", tmp + "/p",
                  stdin=subprocess.DEVNULL)
        expect(p.stdout.readline() == "begins\n", "it does not begin")
        p.send_signal(signal.SIGINT)
        r = finish(p, 0)
        expect(r.code == 130 and r.err.count("wall time") == 1, r)
        with open(tmp + "/heat.svg") as f:
            expect("</svg>" in f.read(), r)


def cplusplus():
    if shutil.which("c++") is None:
        return
    program = """#include <mpi.h>
#include <iostream>
#include <stdexcept>
#include <string>
struct ending {
    int rank = 0;
    ~ending() { std::cout << ("ends " + std::to_string(rank) + "\\n") << std::flush; }
};
thread_local ending mine;
thread_local std::string text = "rank ";
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
    text += std::to_string(mine.rank);
    for (int i = 0; i < 3; i++) {
        try {
            throw std::runtime_error(text);
        } catch (const std::exception &) {
            MPI_Barrier(MPI_COMM_WORLD); // others throw theirs meanwhile
            try {
                throw;
            } catch (const std::exception &e) {
                MPI_Barrier(MPI_COMM_WORLD);
                if (e.what() != text)
                    return 1;
            }
        }
    }
    std::cout << ("caught " + text + "\\n") << std::flush;
    return MPI_Finalize() + std::uncaught_exceptions();
}
"""
    lines = sorted(["caught rank %d" % i for i in range(3)] + ["ends %d" % i for i in range(3)])
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/p.cc", program)
        good(os.path.join(BIN, "mpicxx"), tmp + "/p.cc", "-o", tmp + "/p")
        good("strip", "-o", tmp + "/stripped", tmp + "/p")
        for name in ("/p", "/stripped") if "sanitize" not in good(MPICC, "--showme") else ("/p",):
            for way in ([], ["--ranks-per-cluster", 3], ["--machine", "mini"]):
                r = mpiexec("-n", 3, *way, tmp + name)
                expect(r.code == 0 and r.err == "" and sorted(r.lines) == lines, r)


def new_in_a_full_cluster():
    if shutil.which("c++") is None or "sanitize" in good(MPICC, "--showme"):
        return
    with tempfile.TemporaryDirectory() as tmp:
        good(os.path.join(BIN, "mpicxx"), os.path.join(HERE, "memory.cpp"), "-o", tmp + "/p")
        r = mpiexec("-n", 3, "--machine", "mppa256", "--stats", tmp + "/p")
        expect(r.code == 0 and r.lines == [], r)
        expect(re.search(r"memory\.malloc +1[0-9]{3} KB", r.err), r)
        expect("malloc said no 100 times, first to rank 0" in r.err, r)


def library_that_looks_in_vain():
    """What a search without success leaves is freed by the next, which may be malloc's own."""
    library = """#include <dlfcn.h>
__attribute__((constructor)) static void look(void) { dlsym(RTLD_DEFAULT, "no such routine"); }
"""
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/l.c", library)
        write(tmp + "/p.c", PROGRAM)
        good(MPICC, "-shared", "-fPIC", tmp + "/l.c", "-o", tmp + "/libl.so")
        good(MPICC, tmp + "/p.c", "-o", tmp + "/p", "-L" + tmp, "-Wl,--no-as-needed", "-ll",
             "-Wl,-rpath," + tmp)
        for machine in ("linux", "mini"):
            r = mpiexec("-n", 2, "--machine", machine, tmp + "/p")
            expect(r.code == 0 and r.out == "2 ranks\n" * 2, r)


def streams_of_each_rank():
    if shutil.which("c++") is None:
        return
    with tempfile.TemporaryDirectory() as tmp:
        good(os.path.join(BIN, "mpicxx"), os.path.join(HERE, "streams.cpp"), "-o", tmp + "/p")
        for way in ([], ["--ranks-per-cluster", 3], ["--machine", "mini", "--compute", "none"]):
            r = mpiexec("-n", 3, "-l", *way, tmp + "/p")
            lines = ["[%d] rank %d" % (i, i) for i in range(3)]
            errors = ["[%d] error of %d" % (i, i) for i in range(3)]
            told = [line for line in r.err.splitlines() if "lwmpi: " not in line]
            expect(r.code == 0 and sorted(r.lines) == lines and sorted(told) == errors, r)


def warning_about_globals():
    program = os.path.join(PROGRAMS, "globals")
    os.environ["TSAN_OPTIONS"] = "report_bugs=0"  # its ranks race for them, that is the point
    for way in (["--machine", "mini"], ["--ranks-per-cluster", 2]):
        r = mpiexec("-n", 2, *way, program)
        expect(r.code == 0 and r.err.count("\n") == 1, r)
        for word in ("warning", "3 writable", "counter", "table", "calls"):
            expect(word in r.err, r)
        r = mpiexec("-n", 2, *way, os.path.join(PROGRAMS, "probe"), "hello")
        expect(r.code == 0 and r.err == "", r)
    expect(mpiexec("-n", 2, program).err == "", "one process per rank")


def warning_about_libraries():
    """One that calls MPI keeps what it knows of its rank for all ranks of a process; as an archive
    it is a rank's own. Who calls no MPI is the system's, as the C library is."""
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/l.c", LIBRARY)
        write(tmp + "/plain.c", "int kept;\n")
        write(tmp + "/p.c", "int before(void);\nextern int kept;\n" + PROGRAM.replace(
            "return MPI_Finalize();", "kept = before();\n    return MPI_Finalize();"))
        good(MPICC, "-c", tmp + "/l.c", "-o", tmp + "/l.o")
        good("cc", "-shared", "-fPIC", tmp + "/plain.c", "-o", tmp + "/libplain.so")
        good(MPICC, "-shared", "-fPIC", tmp + "/l.c", "-o", tmp + "/liblate.so")
        place = ["-L" + tmp, "-Wl,-rpath," + tmp, "-lplain"]
        good(MPICC, tmp + "/p.c", tmp + "/l.o", *place, "-o", tmp + "/archive")
        good(MPICC, tmp + "/p.c", "-llate", *place, "-llate", "-o", tmp + "/shared")
        for way in (["--machine", "mini"], ["--ranks-per-cluster", 2]):
            r = mpiexec("-n", 2, *way, tmp + "/archive")
            expect(r.code == 0 and "warning" not in r.err, r)
            r = mpiexec("-n", 2, *way, tmp + "/shared")
            for word in ("2 writable global variables of ", "/liblate.so", "known", "calls"):
                expect(word in r.err, r)
            expect("libplain" not in r.err, r)
            good("strip", tmp + "/liblate.so")
            r = mpiexec("-n", 2, *way, tmp + "/shared")
            expect("/liblate.so (it has some, " in r.err, r)
            good(MPICC, "-shared", "-fPIC", tmp + "/l.c", "-o", tmp + "/liblate.so")
        expect(mpiexec("-n", 2, tmp + "/shared").err == "", "one process per rank")


def own_variables():
    for way in ([], ["--machine", "mini"], ["--ranks-per-cluster", 2], ["--machine", "mppa256"]):
        for name in ("own", "stripped"):
            with tempfile.TemporaryDirectory() as tmp:
                good("strip", "-o", tmp + "/stripped", os.path.join(PROGRAMS, "own"))
                program = os.path.join(PROGRAMS if name == "own" else tmp, name)
                r = mpiexec("-n", 4, *way, program, "-a", "-bc", "-o", 5, "--long=x", "rest")
                expect(r.code == 0, r)
                expect(sorted(r.err.split("\n")[:-1]) ==
                       sorted("after %d" % (7 + i) for i in range(4)), r)


def warning_without_symbols():
    with tempfile.TemporaryDirectory() as tmp:
        for name, warned in (("globals", True), ("probe", False)):
            good("strip", "-o", tmp + "/" + name, os.path.join(PROGRAMS, name))
            r = mpiexec("-n", 2, "--machine", "mini", tmp + "/" + name, "hello")
            expect(r.code == 0 and ("warning" in r.err) == warned, r)


def program_that_loads_mpi_itself():
    """Python: its main is not taken over, MPI_Init joins the machine."""
    code = ("import ctypes, sys\\n"
            "mpi = ctypes.CDLL('libmpi_abi.so.1')\\n"
            "rank, size = ctypes.c_int(), ctypes.c_int()\\n"
            "if mpi.MPI_Init(None, None) != 0: sys.exit(3)\\n"
            "mpi.MPI_Comm_rank(ctypes.c_void_p(0x101), ctypes.byref(rank))\\n"
            "mpi.MPI_Comm_size(ctypes.c_void_p(0x101), ctypes.byref(size))\\n"
            "mpi.MPI_Barrier(ctypes.c_void_p(0x101))\\n"
            "mpi.MPI_Finalize()\\n"
            "print('python', rank.value, 'of', size.value)\\n").replace("\\n", "\n")
    r = mpiexec("-n", 3, sys.executable, "-c", code)
    expect(r.code == 0 and sorted(r.lines) == ["python %d of 3" % i for i in range(3)], r)
    r = mpiexec("-n", 3, "--machine", "mini", sys.executable, "-c", code)
    expect(0 < r.code < 128 and "--machine linux" in r.err and "signal" not in r.err, r)
    early = "import ctypes; ctypes.CDLL('libmpi_abi.so.1').MPI_Comm_rank(None, None)"
    for machine in "linux", "mini":
        r = mpiexec("-n", 2, "--machine", machine, sys.executable, "-c", early)
        expect(0 < r.code < 128 and "called before MPI_Init" in r.err, r)


tests = [compiles_in_paths_with_spaces, answers_questions, another_compiler,
         profiling_by_interposition, what_the_libraries_export, cplusplus, new_in_a_full_cluster,
         library_that_looks_in_vain, streams_of_each_rank, warning_about_globals,
         warning_about_libraries, own_variables]
if "sanitize" not in good(MPICC, "--showme"):
    tests += [static_programs, static_programs_that_a_signal_ends, installed_and_moved,
              what_users_need_is_a_target, warning_without_symbols,
              program_that_loads_mpi_itself]
cases(*tests)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bare.py BIN IMAGE FILES [--machine-mode]: programs on bare metal as their users meet them, in the
mode that the images were made for."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BIN = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
IMAGE = shutil.copy(sys.argv[2], FOLDER.name)  # other tests run the one that was given
FILES = sys.argv[3]
USER = "--machine-mode" not in sys.argv
WHERE = "cluster 0 core 1: " + ("thread 1 'rank 0' in user mode: " if USER else "")
MPIEXEC = os.path.join(BIN, "mpiexec")
MPICC = os.path.join(BIN, "mpicc")
failures = []


def check(what, good, *shown):
    if not good:
        failures.append(what)
        print(f"FAILED: {what}", *shown, sep="\n", file=sys.stderr)


def run(*words, ranks=4, env=None, machine="riscv"):
    return subprocess.run([MPIEXEC, "--machine", machine, "-n", str(ranks), *words],
                          capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(env or {})}, check=False)


def expect(what, code, *words, out=None, err=None, **how):
    r = run(*words, **how)
    check(f"{what}: code {code}", r.returncode == code, r.returncode, r.stdout, r.stderr)
    if out is not None:
        check(f"{what}: output", sorted(r.stdout.splitlines()) == sorted(out), r.stdout, r.stderr)
    for text in err or []:
        check(f"{what}: says '{text}'", text in r.stderr, r.stderr)
    return r


def left():
    """The processes of QEMU that run the image."""
    shown = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if line.startswith("qemu") and IMAGE in line]


def programs():
    expect("variables", 0, IMAGE, "variables", ranks=12, out=["variables"] * 12, err=[])
    expect("arguments", 0, IMAGE, "arguments", "xx", "two words", ranks=3, env={"PROBE": "seen"},
           out=[f"4 {c}{c} two words seen" for c in "abc"])
    expect("-env", 0, "-env", "PROBE", "x y", IMAGE, "arguments", "x", "y", ranks=1,
           out=["4 a y x y"])
    expect("memory", 0, "--ranks-per-cluster", "1", IMAGE, "memory", out=["memory"] * 4)
    comma = shutil.copy(IMAGE, os.path.join(FOLDER.name, "a,b,.img"))  # it parts QEMU's options
    expect("a comma in its name", 0, comma, "variables", ranks=1, out=["variables"])
    expect("at exit", 0, IMAGE, "atexit", ranks=2, out=["rank 0: atexit", "rank 1: atexit"])


def lines():
    pieces = "out {0}, a line of 0.333 pieces"
    r = expect("lines", 0, "-l", IMAGE, "lines", ranks=5, err=[f"[{i}] err {i}" for i in range(5)])
    for i in range(5):
        check("labels", f"[{i}] " + pieces.format(i) in r.stdout.splitlines(), r.stdout)
        check("half lines", f"[{i}] half {i}" in r.stdout, r.stdout)
    with tempfile.TemporaryDirectory() as folder:
        expect("files", 0, "-outfile-pattern", folder + "/o.%r", "-errfile-pattern",
               folder + "/e.%r", IMAGE, "lines", ranks=5, out=[])
        for i in range(5):
            with open(f"{folder}/o.{i}", encoding="utf-8") as f:
                check("file of a rank", f.read() == pieces.format(i) + f"\nhalf {i}")
    a, b = (run("-l", IMAGE, "variables", ranks=12) for _ in range(2))
    check("two runs are alike", a.stdout == b.stdout and a.stderr == b.stderr)


def ends():
    expect("exit code", 7, IMAGE, "code")
    expect("MPI_Abort", 9, IMAGE, "abort", err=["MPI_Abort"])
    expect("end without MPI_Finalize", 3, IMAGE, "early", err=["rank 1"])
    expect("deadlock", 124, IMAGE, "stuck",
           err=["deadlock", "rank 0 waits for", "rank 3 waits for",
                "rank 3: MPI_Recv, peer 0, tag 5, 4 bytes, MPI_COMM_WORLD"])
    expect("stack overflow", 139, IMAGE, "deep", err=[WHERE + "stack overflow"])
    expect("large frame", 139, IMAGE, "leap", ranks=1, err=[WHERE + "stack overflow"])
    r = expect("time-out", 124, "--timeout", "3", IMAGE, "loop",
               err=["time-out", "who waits for what", "rank 0 waits for", "rank 3 waits for",
                    "tag 5, 4 bytes, MPI_COMM_WORLD"])
    check("no deadlock", "deadlock" not in r.stderr)
    expect("a sleep of centuries", 124, "--timeout", "3", IMAGE, "sleep", ranks=2, out=[])
    check("nothing left", left() == [], left())
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen([MPIEXEC, "--machine", "riscv", "-n", "4", IMAGE, "loop"],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as p:
            while not left():
                time.sleep(0.05)
            p.send_signal(number)
            check(f"ended by {number.name}", p.wait(30) == 128 + number, p.returncode)
            p.stderr.read()
        check("nothing left by a signal", left() == [], left())


def complaints():
    expect("an image elsewhere", 126, IMAGE, machine="linux", err=["--machine riscv runs it"])
    expect("another program here", 126, "/bin/true", err=["no image of bare metal"])
    expect("too many ranks", 2, IMAGE, ranks=13, err=["hold 12"])
    with tempfile.TemporaryDirectory() as folder:
        large = os.path.join(folder, "large.img")
        shutil.copy(IMAGE, large)
        os.truncate(large, 9 << 20)
        expect("too large", 127, large, err=["File too large; text and variables", "2 MB"])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(os.environ["LWMPI_MACHINES"], "riscv-mini.machine"), folder)
        with open(f"{folder}/riscv-model.machine", "w", encoding="utf-8") as f:
            f.write("include riscv-mini\ncost.kernel_call = 10 cycles\nancestor_waiting = yes\n")
        expect("a model", 1, IMAGE, machine="riscv-model", env={"LWMPI_MACHINES": folder},
               err=["styles of the ancestor, of which this image has none"])
    expect("too long", 2, IMAGE, env={"LONG": "x" * 127000}, err=["124 KB"])
    expect("--profile", 2, "--profile", IMAGE, err=["bare metal"])
    with tempfile.TemporaryDirectory() as empty:
        expect("no QEMU", 127, IMAGE, env={"PATH": empty}, err=["qemu-system-misc"])
    r = subprocess.run([MPICC, "--machine", "riscv", "x.c"], capture_output=True, text=True,
                       env={**os.environ, "LWMPI_RISCV_CC": "no-such-compiler"}, check=False)
    check("no compiler", r.returncode != 0 and "gcc-riscv64-unknown-elf" not in r.stdout and
          "no no-such-compiler" in r.stderr, r.stderr)
    r = subprocess.run([MPICC, "--machine", "mppa256", "x.c"], capture_output=True, text=True,
                       check=False)
    check("mpicc for another machine", r.returncode == 2 and "riscv is bare metal" in r.stderr)
    for word, source, says in (("mpicxx", "x.cc", "there is no libstdc++ for picolibc"),
                               ("mpifort", "x.f90", "Fortran is not built"),
                               ("mpicc", "x.cpp", "x.cpp is not C")):
        r = subprocess.run([os.path.join(BIN, word), "--machine", "riscv", source],
                           capture_output=True, text=True, check=False)
        check(f"{word} of {source}", r.returncode == 1 and says in r.stderr, r.stderr)


def files():
    with tempfile.TemporaryDirectory() as folder:
        for options in ([], ["--parallel"]):
            expect("files of ranks", 0, *options, FILES, folder, ranks=5, out=[])
            for i in range(5):
                with open(f"{folder}/file.{i}", encoding="utf-8") as f:
                    check("what was open at the end", f.read() == "".join(
                        f"{j * (i + 1)}\n" for j in range(20000)))
                os.remove(f"{folder}/file.{i}")
        check("no others", os.listdir(folder) == [])


def given():
    """Standard input: more than pipes hold, none, one that ends in the middle of a line; one that
    nobody reads, or that never ends, keeps no job from its end."""
    long = "".join(f"line {i}\n" for i in range(20000))
    command = [MPIEXEC, "--machine", "riscv", "-n", "3"]
    for text in (long, "half a line", "x"):
        r = subprocess.run([*command, FILES, "input"], capture_output=True, text=True, timeout=120,
                           input=text, check=False)
        check("input", r.returncode == 0 and r.stdout == text, r.returncode, r.stderr)
    r = subprocess.run([*command, IMAGE, "variables"], capture_output=True, text=True, timeout=120,
                       input=long, check=False)
    check("input that nobody reads", r.returncode == 0, r.stderr)
    with subprocess.Popen([*command, IMAGE, "variables"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL) as p:
        check("input that does not end", p.wait(60) == 0)


def rows(text):
    return {m.group(1): int(m.group(2))
            for m in re.finditer(r"^lwmpi:   (.*?) +(\d+) KB", text, re.M)}


def statistics():
    """The memory of a cluster, all of it; what two more ranks add to it, and what they send. In
    user mode their stacks are allocated pages."""
    one, three = (expect("--stats", 0, "--stats", "--ranks-per-cluster", str(n), IMAGE,
                         "variables", ranks=4 * n).stderr for n in (1, 3))
    a, b = rows(one), rows(three)
    for of in (a, b):
        check("the cage", len(of) == 9 and abs(sum(of.values()) - 2048) <= len(of) and
              min(kb for row, kb in of.items() if not USER or row != "ranks' stacks") > 0, of)
    check("programs", b["programs"] == 3 * a["programs"], a, b)
    check("ranks' stacks", b["ranks' stacks"] == 3 * a["ranks' stacks"] ==
          (0 if USER else 3 * 52), a, b)
    same = ("text, constants", "variables", "cores", "kernel's pools")
    check("the same", [a[row] for row in same] == [b[row] for row in same], a, b)
    check("pages", b["MPI, services, malloc"] > a["MPI, services, malloc"] +
          (2 * 56 if USER else 0), a, b)
    used = re.search(fr"of the stack of a {'core' if USER else 'rank'} (\d+) B at most", three)
    check("stack", used and 512 < int(used.group(1)) < 49152, three)
    check("messages", re.search(r"lwmpi: eager +\d+ messages, \d+ bytes", three), three)
    check("time", re.search(r"lwmpi: time +0\.0\d+ s", three), three)


def further_words():
    expect("another order", 0, IMAGE, "variables", env={"LWMPI_QEMU": "-icount shift=3,sleep=off"})
    expect("QEMU was given them", 1, IMAGE, "variables", env={"LWMPI_QEMU": "-icount shift=99"},
           err=["Invalid shift value"])
    expect("too many words", 127, IMAGE, "variables", env={"LWMPI_QEMU": "-S " * 33},
           err=["LWMPI_QEMU has more than 32 words"])


programs()
lines()
files()
given()
ends()
complaints()
statistics()
further_words()
sys.exit(1 if failures else 0)

# SPDX-License-Identifier: MIT
"""Runs mpiexec and checks what comes out. A test file calls cases(...) with its functions; each
function's name is the case's, an exception its failure."""
import os
import subprocess
import sys
import time
import traceback

BIN, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
MPIEXEC = os.path.join(BIN, "mpiexec")
PROBE = os.path.join(PROGRAMS, "probe")
# Most tests compare what is printed: no computation is measured, and nothing is said about it.
os.environ.setdefault("LWMPI_COMPUTE", "annotated")
PATIENCE = 120  # seconds: what takes longer hangs, however busy the computer is


class Result:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds
        self.lines = out.splitlines()

    def __str__(self):
        return "code %d after %.2f s\nout: %.2000s\nerr: %.2000s" % (
            self.code, self.seconds, self.out, self.err)


def start(*args, **options):
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([MPIEXEC] + [str(a) for a in args], stdout=subprocess.PIPE, text=True,
                            errors="replace", **options)


def finish(process, begin, text=None, timeout=PATIENCE):
    try:
        out, err = process.communicate(text, timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError("mpiexec hangs: %.2000s %.2000s" % (out, err))
    return Result(process.returncode, out, err or "", time.time() - begin)


def mpiexec(*args, text=None, timeout=PATIENCE, **options):
    begin = time.time()
    stdin = subprocess.DEVNULL if text is None else subprocess.PIPE
    return finish(start(*args, stdin=stdin, **options), begin, text, timeout)


def alive(pid):
    """False too for a zombie that somebody else has to reap."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, what, seconds=PATIENCE):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            raise AssertionError("waited %g s for %s" % (seconds, what))
        time.sleep(0.005)


def descendants(pid):
    found = []
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            for child in map(int, f.read().split()):
                found += [child] + descendants(child)
    except OSError:
        pass
    return found


def soon(limit, run):
    """run() must take less than `limit` seconds. A busy computer may miss that now and then, but
    not each time."""
    took = []
    while not took or took[-1] >= limit:
        if len(took) == 20:
            raise AssertionError("took %s s, should be less than %g" % (took, limit))
        took.append(run().seconds)


def expect(condition, result):
    if not condition:
        raise AssertionError(str(result))


def cases(*functions):
    failed = 0
    for f in functions:
        try:
            f()
            print("ok   %s" % f.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAIL %s\n%s" % (f.__name__, traceback.format_exc()), flush=True)
    sys.exit(1 if failed else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_test.py BUILD: bench/run.py on made-up programs: medians, targets, and what a wrong program
gets; and what lies in the folder of which it runs all programs. Which kernel bench/topology.py
takes, and what bench/lines.py says of programs that fail."""
import os
import subprocess
import sys
import tempfile

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench")
RUN = os.path.join(BENCH, "run.py")
sys.path.insert(1, BENCH)
import topology  # noqa: E402 (found by the line above)

COUNTER = 'n=$(cat "$0.n" 2>/dev/null || echo 9); n=$((n - 4)); echo $n >"$0.n"\n'  # 5, 1, -3

# (programs, exit code, texts in the output, texts in the table)
ROWS = [
    ({"a": COUNTER + "echo up,$n,ns,'>= 1'; echo down,$n,ns,'<= 0.5'; echo free,7,B,"}, 0,
     ["3 figures, 1 missed their target, 0 programs failed"],
     ["a,up,1,-3,5,ns,>= 1,yes\n", "a,down,1,-3,5,ns,<= 0.5,no\n", "a,free,7,7,7,B,,\n"]),
    ({"a": "echo hello"}, 1, ["failed: printed 'hello' instead of name,value,unit,target"], []),
    ({"a": "echo x,many,ns,"}, 1, ["failed: could not convert"], []),
    ({"a": "echo broken >&2; exit 3", "b": "echo x,1,ns,"}, 1,
     ["failed: ended with 3: broken", "1 programs failed"], ["b,x,1,1,1,ns,,\n"]),
    ({}, 1, ["no program"], None),
    # A target may be a small number; what says nothing, or one thing twice, is no benchmark.
    ({"a": "echo x,2e-6,s,'<= 1e-6'; echo y,2e-6,s,'<= 2.5E-6'; echo z,1,s,'>= 1 or so'"}, 0,
     ["3 figures, 1 missed"], ["<= 1e-6,no\n", "<= 2.5E-6,yes\n", ">= 1 or so,\n"]),
    ({"a": "true"}, 1, ["failed: printed nothing"], []),
    ({"a": "echo x,1,ns,; echo x,2,ns,"}, 1, ["failed: printed 'x' twice"], []),
]


ALONE = ("type_copy",)  # a benchmark that is no script and is not built for a port


def strangers(build):
    """Programs where run.py looks that are no benchmarks: neither scripts nor built for a port."""
    folder = os.path.join(build, "bench")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            with open(path, "rb") as file:
                script = file.read(2) == b"#!"
            if not script and not name.endswith((".sim", ".linux")) and name not in ALONE:
                yield name


def newest():
    kernels = ["/boot/vmlinuz-6.10.1-2", "/boot/vmlinuz-6.9.12-1", "/boot/vmlinuz-5.15.0-3"]
    found = sorted(kernels, key=topology.version)[-1]
    return "" if found == kernels[0] else f"topology: {found} is the newest of {kernels}"


def no_table():
    """mpiexec fails, or says something else."""
    for body, words in (("echo broken >&2; exit 3", "osu_beside ended with 3"),
                        ("echo both are on the same", "both are on the same")):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bin", "mpiexec")
            os.mkdir(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{body}\n")
            os.chmod(path, 0o755)
            done = subprocess.run([sys.executable, os.path.join(BENCH, "lines.py"), folder],
                                  capture_output=True, text=True)
        if done.returncode != 1 or words not in done.stderr or "Traceback" in done.stderr:
            return f"lines: {body}: ended with {done.returncode}: {done.stderr}"
    return ""


def main(build):
    wrong = 0
    for problem in filter(None, (newest(), no_table())):
        wrong += 1
        print(problem)
    for name in strangers(build):
        wrong += 1
        print(f"{name}: is no benchmark, and ./lwmpi bench runs it")
    for number, (programs, code, said, written) in enumerate(ROWS, 1):
        with tempfile.TemporaryDirectory() as folder:
            for name, body in programs.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\n" + body + "\n")
                os.chmod(file.name, 0o755)
            table = os.path.join(folder, "out.csv")
            run = subprocess.run([sys.executable, RUN, folder, table, "3"], capture_output=True,
                                 text=True)
            text = ""
            if os.path.exists(table):
                with open(table, encoding="utf-8") as file:
                    text = file.read()
        if run.returncode != code or any(words not in run.stdout for words in said) \
                or any(words not in text for words in written or []) \
                or (written is not None) != text.startswith("# "):
            wrong += 1
            print(f"row {number}: ended with {run.returncode}\n{run.stdout}{run.stderr}{text}")
    for runs in ("0", "many", "nan"):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([sys.executable, RUN, folder, os.devnull, runs],
                                 capture_output=True, text=True)
        if run.returncode != 2 or f"'{runs}' is no number above 0" not in run.stderr:
            wrong += 1
            print(f"{runs} runs: ended with {run.returncode}\n{run.stdout}{run.stderr}")
    print(f"{len(ROWS)} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec --report: the page's data against what is known of the program; and, where there is an
interpreter for it, the pictures that the page makes of them."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from launch import PROBE, alive, cases, descendants, expect, mpiexec, start, wait_for

LINUX, VIRTUAL = ["--machine", "linux"], ["--machine", "mppa256"]
SHARED = ["--ranks-per-cluster", 2]
TIMES = 20
COMPUTES, WAITS, SENDS = range(3)


def data_of(html, which):
    found = re.search(rf'<script type="application/json" id="{which}">(.*?)</script>', html, re.S)
    return json.loads(found[1])


def report(*args, folder, name="r.html", code=0):
    path = os.path.join(folder, name)
    r = mpiexec("--report", path, *args)
    expect(r.code == code, r)
    with open(path, encoding="utf-8") as f:
        return f.read()


def mean(bins):
    return sum(bins) / len(bins)


def ranks_are_known_over_time():
    """Rank 1 sleeps 5 ms before each barrier, at which all others wait."""
    for way in (LINUX, SHARED, VIRTUAL):
        with tempfile.TemporaryDirectory() as tmp:
            run = data_of(report("-n", 4, *way, PROBE, "late", TIMES, folder=tmp), "run")
            expect(os.listdir(tmp) == ["r.html"], os.listdir(tmp))
        expect(run["ranks"] == 4 and len(run["ranks_over_time"]) == 4, run)
        for rank, states in enumerate(run["ranks_over_time"]):
            for column in zip(*states):
                expect(sum(column) < 1.01 and min(column) >= 0, (rank, column))
            least = 0.9 if way == VIRTUAL else 0.3
            expect(mean(states[COMPUTES if rank == 1 else WAITS]) > least, (rank, way))
        expect(1 <= len(run["sites"]) <= 5, run["sites"])
        expect(run["sites"][0]["call"] == "MPI_Barrier", run["sites"])
        expect(run["sites"][0]["place"].startswith("probe.c:") and run["sites"][0]["who"] == 1, run)
        expect(run["path"][0]["what"] == "computation" and run["path"][0]["rank"] == 1, run["path"])


def numbers_are_those_of_the_machine():
    """Energy as --stats tells it, but for what is before MPI_Init and after MPI_Finalize."""
    with tempfile.TemporaryDirectory() as tmp:
        html = report("-n", 32, "--stats", *VIRTUAL, PROBE, "uneven", 1, TIMES, folder=tmp)
        r = mpiexec("-n", 32, "--stats", *VIRTUAL, PROBE, "uneven", 1, TIMES)
    run = data_of(html, "run")
    joules = sum(s["sum"] for s in run["numbers"] if s["name"].startswith("power"))
    told = re.search(r"energy\D*([\d.]+) (m?)J", r.err)
    expect(told, r)
    want = float(told[1]) * (1e-3 if told[2] else 1)
    expect(abs(joules / want - 1) < 0.05, (joules, r.err))
    loads = [s for s in run["numbers"] if s["name"] == "load of the busiest link"]
    expect(len(loads) >= 16 and 0 < max(s["most"] for s in loads) <= 100, loads)
    expect(any(s["name"] == "memory" and s["most"] > 0 for s in run["numbers"]), html)


def it_says_what_the_run_had():
    with tempfile.TemporaryDirectory() as tmp:
        html = report("-n", 2, *VIRTUAL, "--compute", "none", "--set", "noc.link_bytes=8", "--set",
                      "hz=1 GHz", "--map", "scatter", PROBE, "uneven", 0, 1, folder=tmp)
    expect(data_of(html, "run")["settings"] == ["LWMPI_COMPUTE=none", "LWMPI_MAP=scatter",
                                                "noc.link_bytes=8", "hz=1 GHz"], html[-3000:])


def two_runs_are_compared():
    with tempfile.TemporaryDirectory() as tmp:
        first = report("-n", 4, *VIRTUAL, PROBE, "uneven", 0, TIMES, folder=tmp)
        path = os.path.join(tmp, "r.html")
        second = report("-n", 4, "--against", path, "--faster", "0:2", *VIRTUAL, PROBE, "uneven", 0,
                        TIMES, folder=tmp, name="s.html")
        same = report("-n", 4, "--against", path, *VIRTUAL, PROBE, "uneven", 0, TIMES, folder=tmp)
    expect(data_of(second, "against") == data_of(first, "run"), "another one")
    had = data_of(first, "run")["settings"], data_of(second, "run")["settings"]
    expect(had[1] == [*had[0][:-1], "LWMPI_FASTER=0:2.000", *had[0][-1:]], had)
    expect(data_of(same, "against") == data_of(same, "run"), "a run that repeats")
    expect(data_of(first, "against") is None, "there was none")
    change = data_of(second, "run")["seconds"] / data_of(first, "run")["seconds"] - 1
    expect(-0.27 < change < -0.2, change)
    if shutil.which("node"):
        script = re.search(r"<script>\n(.*?)</script>", second, re.S)[1]
        script += ("\nconst run = %s, other = %s;\nconsole.log(page(run, other));\n"
                   "console.log(page(run, {...run, seconds: run.seconds * 1.0001}));"
                   % (json.dumps(data_of(second, "run")), json.dumps(data_of(second, "against"))))
        made = subprocess.run(["node", "-"], input=script, capture_output=True, text=True)
        expect(made.returncode == 0 and made.stderr == "", made.stderr)
        for want in ("Ranks over time", "Heat over time", "Energy", "Memory", "Critical path",
                     "<td>-2"):
            expect(want in made.stdout, want)
        expect(made.stdout.count("<svg") == made.stdout.count("</svg>") >= 5, made.stdout[:2000])
        expect("<td>0.0 %" in made.stdout and "-0.0 %" not in made.stdout, "a change of nothing")
        expect("NaN" not in made.stdout and "undefined" not in made.stdout, made.stdout)


def pages_need_nothing_else():
    with tempfile.TemporaryDirectory() as tmp:
        html = report("-n", 2, *LINUX, PROBE, "waits", 1, TIMES, folder=tmp)
        expect(not re.search(r"(src|href)=|https?:", html), "it refers to something else")
        r = mpiexec("-n", 2, "--report", os.path.join(tmp, "t.html"), "sh", "-c", "echo here")
        expect(r.code == 0 and "no rank has recorded anything" in r.err, r)
        r = mpiexec("--report", os.path.join(tmp, "t.html"), os.path.join(tmp, "no-such-program"))
        expect(r.code == 127, r)
        expect(sorted(os.listdir(tmp)) == ["r.html"], os.listdir(tmp))


def a_killed_mpiexec_leaves_no_file():
    for way in (LINUX, VIRTUAL):
        with tempfile.TemporaryDirectory() as tmp:
            p = start("-n", 2, *way, "--report", os.path.join(tmp, "r.html"), PROBE, "loop",
                      stdin=subprocess.DEVNULL)
            expect(p.stdout.readline().startswith("pid "), "it does not begin")
            pids = descendants(p.pid)
            p.kill()
            p.communicate()
            expect(os.listdir(tmp) == [], os.listdir(tmp))
            wait_for(lambda: not any(map(alive, pids)), "the end of %s" % pids)


def a_folder_that_takes_no_other_file():
    """As /dev for most users: the trace, of which nobody sees anything, needs no place there."""
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "n" * 250)  # with more letters it would be no name
        r = mpiexec("--report", path, "-n", 2, *VIRTUAL, PROBE, "uneven", 0, TIMES)
        expect(r.code == 0, r)
        with open(path, encoding="utf-8") as f:
            expect(data_of(f.read(), "run")["numbers"], r)
        expect(len(os.listdir(tmp)) == 1, os.listdir(tmp))


cases(ranks_are_known_over_time, numbers_are_those_of_the_machine, it_says_what_the_run_had,
      two_runs_are_compared, pages_need_nothing_else, a_killed_mpiexec_leaves_no_file,
      a_folder_that_takes_no_other_file)

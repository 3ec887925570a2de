# SPDX-License-Identifier: MIT
"""--sweep: what values mean, which are refused, and tables that must follow from the key."""
import csv
import os
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as tree

from launch import (BIN, PROBE, PROGRAMS, alive, cases, descendants, expect, finish, mpiexec,
                    start, wait_for)

HELLO = os.path.join(BIN, "..", "examples", "hello")
ON_MINI = ("-n", 4, "--machine", "mini", "--compute", "none", HELLO)
HEAD = ["cycles", "seconds", "joules", "KB in a cluster", "host seconds"]
MEANING = {"4..64:x2": [4, 8, 16, 32, 64], "4..63:x2": [4, 8, 16, 32], "0..9:+4": [0, 4, 8],
           "7..7:x3": [7], "8,2,16": [8, 2, 16], "5": [5]}
WRONG = ("", "4..64", "4..64:", "4..64:x1", "0..64:x2", "4..64:+0", "64..4:x2", "a..b:x2",
         "4..64:*2", "1,,2", "1,", "-4..4:+2", "0..999999:+1", "4..64:x2k", "99999999999999999999")


def table(*words):
    """(result, key and unit, a list of texts for each value)"""
    r = mpiexec(*words)
    expect(r.lines and r.lines[0].endswith("".join(name.rjust(16) for name in HEAD)), r)
    return r, r.lines[0].split("cycles")[0].strip(), [line.split() for line in r.lines[1:]]


def values_mean_what_they_say():
    for text, meaning in MEANING.items():
        r, key, rows = table("--sweep", f"power.machine_uw={text}", *ON_MINI)
        expect(r.code == 0 and r.err == "lwmpi: computation  none\n", r)
        expect(key == "power.machine_uw", r)
        expect([int(row[0]) for row in rows] == meaning, r)
    for text in WRONG:
        r = mpiexec("--sweep", f"hz={text}", *ON_MINI)
        expect(r.code == 2 and r.out == "" and f"hz={text}: right are" in r.err, r)
    for text in ("hz", "=1"):
        r = mpiexec("--sweep", text, *ON_MINI)
        expect(r.code == 2 and r.out == "" and "right are KEY=" in r.err, r)


def power_takes_energy_and_no_time():
    """Watts times seconds, in the six decimals that are printed."""
    r, _, rows = table("--sweep=power.machine_uw=0..200000:+100000", *ON_MINI)
    expect(r.code == 0 and len({tuple(row[1:3]) for row in rows}) == 1, r)
    for row in rows:
        more = float(row[3]) - float(rows[0][3])
        expect(abs(more - int(row[0]) / 1e6 * float(row[2])) <= 2e-6, r)


def units_are_those_of_the_key():
    one = table("--sweep", "hz=100000000,200000000", *ON_MINI)[2]
    r, key, rows = table("--sweep", "hz=100..200:+100 MHz", *ON_MINI)
    expect(key == "hz MHz" and [row[1:5] for row in rows] == [row[1:5] for row in one], r)
    for row, hz in zip(rows, (100e6, 200e6)):
        expect(abs(float(row[1]) / hz - float(row[2])) < 1e-8, r)


def a_row_is_the_run_with_set():
    r, _, rows = table("--sweep", "noc.hop_cycles=8,80", "--set", "noc.router_cycles=70", *ON_MINI)
    for row in rows:
        one = mpiexec("--stats", "--set", f"noc.hop_cycles={row[0]}", "--set",
                      "noc.router_cycles=70", *ON_MINI)
        expect(one.code == 0 and f" {row[2]} s, {row[1]} cycles" in one.err and
               f" {row[3]} J" in one.err, r)


def several_programs_and_their_variables():
    """The words of the first mpiexec come to the others as they were."""
    second = os.path.join(PROGRAMS, "second")
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "out.%r")
        r, _, rows = table("--machine", "mini", "--memory", "report", "--sweep", "hz=1000000",
                           "-outfile-pattern", out, "-genv", "PROBE=5",
                           "-n", 1, PROBE, "about", ":", "-n", 2, second, "about")
        expect(r.code == 0 and len(rows) == 1, r)
        text = "".join(open(os.path.join(tmp, f"out.{i}")).read() for i in range(3))
        expect(text.count("variable 5") == 3 and text.count("second program 1") == 2, text)


def charts_and_tables_are_written():
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "c.svg")
        r, _, rows = table("--sweep", "noc.hop_cycles=1..8:x2", "--chart", path, *ON_MINI)
        with open(os.path.join(tmp, "c.csv"), encoding="utf-8") as file:
            head, *lines = csv.reader(file)
        expect(head == ["noc.hop_cycles", *HEAD] and lines == rows, r)
        chart = tree.parse(path)
        circles = [c for c in chart.iter() if c.tag.endswith("circle")]
        texts = [t.text for t in chart.iter() if t.tag.endswith("text")]
        expect(len(circles) == 2 * 4 and texts.count("noc.hop_cycles") == 2, texts)
        said = [t for t in texts if t and t.startswith("hello, 4 ranks on mini; computation: ")]
        expect(len(said) == 1 and "cycles" in texts and "joules" in texts, texts)
        expect("lwmpi: computation  " + said[0].split(": ")[1] + "\n" in r.err, r)
        at = [float(c.get("cx")) for c in circles[:4]]
        expect(abs((at[1] - at[0]) - (at[3] - at[2])) < 0.2, at)  # powers at equal distances
        os.mkdir(os.path.join(tmp, "d.csv"))
        for more, why in ((("--chart", tmp + "/d.svg"), "d.csv: cannot write this file: Is a"),
                          (("--chart", path, "--trace", tmp + "/c.csv"), "--trace writes to this")):
            r = mpiexec("--sweep", "hz=1000000", *more, *ON_MINI)
            expect(r.code == 2 and r.out == "" and why in r.err, r)
    r = mpiexec("--sweep", "hz=1", "--chart", "/nowhere/c.svg", *ON_MINI)
    expect(r.code == 2 and "--chart /nowhere/c.svg: cannot write" in r.err, r)


def words_are_values():
    """Each row is the run with --set; so are numbers with units of their own."""
    for key, values in (("variant", ["baseline", "partial", "full"]),
                        ("compute_memory", ["512 KB", "1 MB"])):
        with tempfile.TemporaryDirectory() as tmp:
            path = os.path.join(tmp, "c.svg")
            r, name, _ = table("--sweep", f"{key}={','.join(values)}", "--chart", path, *ON_MINI)
            rows = [line.rsplit(maxsplit=5) for line in r.lines[1:]]
            expect(r.code == 0 and name == key and [row[0].strip() for row in rows] == values, r)
            for row in rows:
                one = mpiexec("--stats", "--set", f"{key}={row[0].strip()}", *ON_MINI)
                expect(one.code == 0 and f" {row[2]} s, {row[1]} cycles" in one.err, (r, one))
            with open(os.path.join(tmp, "c.csv"), encoding="utf-8") as file:
                expect([row[0] for row in csv.reader(file)] == [key, *values], r)
            parts = list(tree.parse(path).iter())
            texts = [t.text for t in parts if t.tag.endswith("text")]
            bars = [b for b in parts if b.tag.endswith("rect") and b.get("x")]
            expect(all(texts.count(value) == 2 for value in values), texts)
            expect(len(bars) == 2 * len(values) and not any("circle" in p.tag for p in parts), r)
    r, _, rows = table("--sweep", "variant=full,quick", *ON_MINI)
    expect(r.code == 2 and "exit code 2" in r.lines[2] and "quick" in r.lines[2], r)
    r = mpiexec("--sweep", "variant=quick,slow", *ON_MINI)
    expect(r.code == 2 and r.out == "" and "--sweep variant=quick,slow: " in r.err, r)


def names_of_many_words_do_not_overlap():
    """They hang from the axis, below which the key stands."""
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "c.svg")
        values = [f"{n} KB" for n in range(1000, 1020)]
        r = mpiexec("--sweep", f"compute_memory={','.join(values)}", "--chart", path, *ON_MINI)
        expect(r.code == 0, r)
        chart = tree.parse(path).getroot()
        texts = [t for t in chart.iter() if t.tag.endswith("text")]
        names = [t for t in texts if t.text in values]
        expect(len(names) == 2 * len(values) and all(t.get("transform") for t in names), r)
        at = sorted(float(t.get("x")) for t in names)
        expect(min(b - a for a, b in zip(at, at[1:])) > 12, at)
        low = max(float(t.get("y")) for t in names) + 7 * max(map(len, values))
        key = [float(t.get("y")) for t in texts if t.text == "compute_memory"]
        expect(len(key) == 2 and low < key[0] - 10, key)
        expect(key[0] < float(chart.get("height")) - 20, key)


def variables_are_keys():
    r, key, rows = table("--sweep", "LWMPI_PROTOCOLS=adaptive,paper-unopt,paper-opt", *ON_MINI)
    expect(r.code == 0 and key == "LWMPI_PROTOCOLS" and len({row[1] for row in rows}) == 3, r)
    for row in rows:
        one = mpiexec("--stats", *ON_MINI, env={**os.environ, "LWMPI_PROTOCOLS": row[0]})
        expect(one.code == 0 and f" {row[2]} s, {row[1]} cycles" in one.err, (r, one))
    one = table("--sweep", "LWMPI_SEED=1..9:+1", *ON_MINI)[2]
    r, _, rows = table("--sweep", "LWMPI_SEED=1..9:+1", "--seed", 3, *ON_MINI)  # which is below it
    expect([row[1] for row in rows] == [row[1] for row in one], r)
    expect(len({row[1] for row in rows}) > 1, r)
    r = mpiexec("--sweep", "LWMPI_NONE=1,2", *ON_MINI)
    expect(r.code == 2 and r.out == "" and "LWMPI_NONE: no such key" in r.err, r)


def what_fails_is_told_in_its_row():
    words = ("-n", 7, *ON_MINI[2:])
    r, _, rows = table("--sweep", "compute_clusters=1..2:x2", *words)
    expect(r.code == 2 and len(rows) == 2, r)
    expect("exit code 2: mpiexec: 7 ranks do not fit" in r.lines[1] and rows[1][0] == "2", r)
    for sweep, why in (("no.key=1,2", "no.key: no such key; allowed are"),
                       ("hz=1..2:+1", '"2" is out of range')):
        r = mpiexec("--set", "hz=1000000", "--sweep", sweep, *ON_MINI)
        expect(r.code == 2 and r.out == "" and f"mpiexec: --sweep {sweep}: " in r.err, r)
        expect(why in r.err and len(r.err.splitlines()) == 1 and "--set" not in r.err, r)
    r = mpiexec("--set", "hz=soon", "--sweep", "noc.hop_cycles=8,80", *ON_MINI)
    expect(r.code == 2 and "mpiexec: --set: " in r.err and "--sweep" not in r.err, r)
    r = mpiexec("--sweep", "hz=1000000,2000000", "-n", 4, "--machine", "no", HELLO)
    expect(r.code == 2 and r.out == "" and 'machine "no": unknown' in r.err, r)
    r = mpiexec("--sweep", "hz=1", "-n", 1, PROBE, "about")
    expect(r.code == 2 and "--machine mppa256" in r.err, r)
    r = mpiexec("--sweep", "hz=1", "--sweep", "hz=2", *ON_MINI)
    expect(r.code == 2 and "one key" in r.err, r)
    r = mpiexec("--chart", os.devnull, *ON_MINI)
    expect(r.code == 2 and "--sweep KEY=VALUES" in r.err, r)


def what_the_library_complains_of_is_told():
    r, _, _ = table("--sweep", "noc.hop_cycles=1,2", "--break", "7:1", *ON_MINI)
    expect(r.code == 2, r)
    for line in r.lines[1:]:
        expect("exit code 2: lwmpi: --break 7:1 (LWMPI_BREAK): must be a rank" in line, r)


def what_was_run_is_kept_when_a_signal_comes():
    """The third run goes on for ever. From a terminal the signal comes to all processes."""
    third = "[ $LWMPI_SWEPT = LWMPI_SEED=3 ] && exec '%s' loop; exec '%s'" % (PROBE, HELLO)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for send in (os.kill, os.killpg):
            with tempfile.TemporaryDirectory() as tmp:
                path = os.path.join(tmp, "c.svg")
                p = start("--sweep", "LWMPI_SEED=1..7:+1", "--chart", path, *ON_MINI[:-1], "sh",
                          "-c", third, stdin=subprocess.DEVNULL, start_new_session=True)
                head = [p.stdout.readline() for _ in range(3)]
                wait_for(lambda: len(descendants(p.pid)) == 2, "the third run")
                pids = descendants(p.pid)
                send(p.pid, number)
                r = finish(p, time.time())
                expect(r.code == 128 + number and head[2] and r.out == "", (r, head))
                expect("ended by signal %d" % number in r.err and
                       "--sweep has run 2 of 7 values\n" in r.err, r)
                expect(not any(map(alive, pids)), "left: %s" % pids)
                with open(path) as chart, open(os.path.join(tmp, "c.csv")) as rows:
                    expect("; 2 of 7 values<" in chart.read() and len(rows.readlines()) == 3, r)


def an_unknown_program_is_told():
    r, _, rows = table("--machine", "mini", "--sweep", "hz=1000000", "/no/program")
    expect(r.code == 127 and len(rows) == 1 and "exit code 127" in r.out, r)


cases(values_mean_what_they_say, power_takes_energy_and_no_time, units_are_those_of_the_key,
      a_row_is_the_run_with_set, several_programs_and_their_variables,
      charts_and_tables_are_written, words_are_values, names_of_many_words_do_not_overlap,
      variables_are_keys, what_fails_is_told_in_its_row,
      what_the_library_complains_of_is_told,
      what_was_run_is_kept_when_a_signal_comes, an_unknown_program_is_told)

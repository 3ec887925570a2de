# SPDX-License-Identifier: MIT
"""sim_trace_check.py FILE NAME...: FILE must be a complete JSON text in Chrome's trace format, with
a process row per cluster and a thread row per core of `mini`, balanced asynchronous slices, and at
least one slice of each NAME."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    trace = json.load(f)
events = trace["traceEvents"]
rows = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
processes = {e["pid"]: e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] == "process_name"}
assert processes == {0: "cluster 0", 1: "cluster 1", 2: "I/O cluster 2", 3: "machine"}, processes
assert len(rows) == 12, rows
open_slices = {}
for e in events:
    if e["ph"] == "X":
        assert (e["pid"], e["tid"]) in rows and e["dur"] >= 0 and e["ts"] >= 0, e
    elif e["ph"] == "b":
        assert e["id"] not in open_slices, e
        open_slices[e["id"]] = e
    elif e["ph"] == "e":
        begin = open_slices.pop(e["id"])
        assert begin["name"] == e["name"] and begin["ts"] <= e["ts"], (begin, e)
assert not open_slices, open_slices
names = {e["name"] for e in events}
assert "idle" not in names, "an idle core is drawn as nothing"
numbers = {}
for e in events:
    if e["ph"] == "C":
        (value,) = e["args"].values()
        assert value >= 0 and e["pid"] in processes, e
        numbers.setdefault((e["pid"], e["name"]), []).append((e["ts"], value))
for row, name in ((0, "load of the busiest link"), (1, "load of the busiest link"),
                  (3, "power of cores"), (3, "power of the networks"), (3, "power at rest")):
    times = [ts for ts, _ in numbers[row, name]]
    assert times == sorted(set(times)), (row, name)
if "outer" in sys.argv:  # 4,096 bytes from 1 to 0 and an answer; the rest of the time nothing
    loads = [value for _, value in numbers[1, "load of the busiest link"]]
    assert 0 < max(loads) <= 100, loads
missing = [n for n in sys.argv[2:] if n not in names]
assert not missing, (missing, sorted(names))

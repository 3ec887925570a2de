# SPDX-License-Identifier: MIT
"""What was published, which quantity of which program says it here, and how the two compare:
ho.py, uller.py, and souto-2022 in this file.

A row: id, what, published, value, goal. The value is (program, quantity), or (program, quantity,
program, quantity): the first divided by the second. The goal is "<= number", ">= number" or
"number..number" as the comparison demands it ("same sign" is > 1), or "" where there is nothing to
miss."""
import ho
import uller

SPAWN, CALLS, FOOTPRINT = "task_spawn.sim each", "task_calls.sim each", "footprint"
VARIANTS = ("baseline", "partial", "full")
BASELINE, PARTIAL, FULL = (f"LWMPI_VARIANT={variant} " for variant in VARIANTS)
BEAT, SIZE, PAGES = "task_heartbeat.sim", "kernel_size.sim", "task_pages.sim each"
PACED = PAGES + " paper"
FN, GF, KM = "mpi 192 -- fn", "mpi 192 -- gf --images 192", "mpi 192 -- km"


def ratio(first, second, quantity):
    return first, quantity, second, quantity


ROWS = (
    *ho.ROWS,
    *uller.ROWS,
    ("T60", "flows per MB, tasks / threads", "63.2",
     (SPAWN, "mppa256: flows per MB task / thread"), ">= 63.2"),
    ("T61", "fork of a thread / create + dispatch of a task, 1 flow", "2",
     (SPAWN, "mppa256: 1 flows: spawn thread / task"), ">= 2"),
    ("T61", "the same, 21 flows", "15.3", (SPAWN, "mppa256: 21 flows: spawn thread / task"),
     ">= 15.3"),
    ("T62", "join of a thread / wait for a task, 1 flow", "up to 1.87",
     (SPAWN, "mppa256: 1 flows: join thread / task"), ""),
    ("T62", "the same, 21 flows", "up to 1.87", (SPAWN, "mppa256: 21 flows: join thread / task"),
     ""),
    ("T63", "energy of 21 flows, threads / tasks", "6.6",
     (SPAWN, "mppa256: 21 flows: energy thread / task"), ">= 6.6"),
    ("T64", "remote kernel call, answered to a thread / to a task", "3.1",
     (CALLS, "mppa256: master call thread / task"), ">= 3.1"),
    ("T65", "kernel calls of 1 thread beside the Dispatcher / alone", "up to 1.22",
     (CALLS, "mppa256: 1 threads: with the Dispatcher / threads only"), "<= 1.22"),
    ("T65", "the same, 15 threads", "up to 1.22",
     (CALLS, "mppa256: 15 threads: with the Dispatcher / threads only"), "<= 1.22"),
    ("T66", "Pginval, 16 processes, time, baseline / partial", "1.135",
     ratio(BASELINE + PAGES, PARTIAL + PAGES, "mppa256: Pginval: 16 processes: invalidation"),
     ">= 1.1"),
    ("T66", "the same, baseline / full", "1.15",
     ratio(BASELINE + PAGES, FULL + PAGES, "mppa256: Pginval: 16 processes: invalidation"),
     ">= 1.1"),
    ("T66", "energy of an invalidation, 16 processes, baseline / full", "1.15",
     ratio(BASELINE + PAGES, FULL + PAGES, "mppa256: Pginval: 16 processes: energy of one"),
     ">= 1.1"),
    ("T67", "Pgfetch, 1 process, time, full / baseline", "1.22",
     ratio(FULL + PAGES, BASELINE + PAGES, "mppa256: Pgfetch: 1 processes: page fetched"), "<= 1"),
    ("T67", "the same, 16 processes", "1.22",
     ratio(FULL + PAGES, BASELINE + PAGES, "mppa256: Pgfetch: 16 processes: page fetched"), "<= 1"),
    ("T67", "energy of a page fetched, 16 processes, full / baseline", "1.21",
     ratio(FULL + PAGES, BASELINE + PAGES, "mppa256: Pgfetch: 16 processes: energy of one"),
     "<= 1"),
    ("T67", "the paper's protocol for a page, 1 process, full / baseline", "1.22",
     ratio(FULL + PACED, BASELINE + PACED, "mppa256: Pgfetch: 1 processes: page fetched"), ""),
    ("T67", "the paper's protocol / the default, full, 16 processes", "",
     (FULL + PACED, "mppa256: Pgfetch: 16 processes: page fetched",
      FULL + PAGES, "mppa256: Pgfetch: 16 processes: page fetched"), ""),
    ("T68", "GF, time, partial / baseline", "1.34", ratio(PARTIAL + GF, BASELINE + GF, "time"),
     "<= 1.01"),
    ("T68", "GF, time, full / baseline", "1.12", ratio(FULL + GF, BASELINE + GF, "time"),
     "<= 1.01"),
    ("T69", "KM, time, baseline / full", "1.04", ratio(BASELINE + KM, FULL + KM, "time"),
     ">= 0.99"),
    ("T70", "FN, time, full / baseline", "1.02", ratio(FULL + FN, BASELINE + FN, "time"),
     "<= 1.02"),
    ("T71", "code of the kernel, full / baseline", "1.12",
     (FOOTPRINT, "kernel, full", FOOTPRINT, "kernel, baseline"), ""),
    ("T71", "pools of the kernel in a cluster, full / baseline", "",
     ratio(FULL + SIZE, BASELINE + SIZE, "mppa256: struct cluster with its pools"), ""),
    ("T72", "cores of a cluster without a thread of the system, full", "15",
     (FULL + BEAT, "mppa256: cores without a thread of the system"), ">= 15"),
    ("T72", "the same, baseline (one daemon; the paper has more)", "12",
     (BASELINE + BEAT, "mppa256: cores without a thread of the system"), ""),
    ("", "heartbeat, cycles of all cores, full / baseline", "",
     ratio(FULL + BEAT, BASELINE + BEAT, "mppa256: heartbeat: energy above idle"), ""),
)

NOTES = {
    **ho.NOTES,
    **uller.NOTES,
    "T67": "the default does not lose: a fetch is one message and one transfer (the grant goes "
           "ahead of the request, the data is the answer) where the paper's protocol has three "
           "messages. The published loss is that of copies made on the master core; here the "
           "data lands in the page's frame and nobody copies it, so it is not reproduced",
    "T61": "a thread's creation has one price in the machine file, so the ratio does not grow with "
           "the flows; the thread manager of the ancestor (its published sources) has one lock for "
           "all cores and a table that is searched, so its price grows",
    "T62": "not reproduced: a join finds an ended thread by its id under a lock that only starts "
           "and ends of threads take, so it costs one kernel call, like the wait for a task; with "
           "1 flow the task has not run yet when it is waited for, the thread has",
    "T68": "192 ranks, 192 images of 256 x 256; the time is that of the work, without the start. "
           "The published loss is that copies moved to the master core; here the threads of reader "
           "and writer copy in every variant, and the Dispatcher only says that they may",
    "T71": "compiled for the computer that builds; code and constants",
    "T72": "16 cores are for programs, the kernel has a core of its own",
}


def curves(program, **patterns):
    return {label.replace("_", " "): (program, pattern) for label, pattern in patterns.items()}


def per_variant(pattern):
    return {variant: (f"LWMPI_VARIANT={variant} {PAGES}", pattern) for variant in VARIANTS}


# Charts: (file, title, x, y, {line: points}). The points are (program, pattern) if the name of the
# quantity holds x, else {x: value as in a row}.
LINES = (
    *ho.LINES,
    *uller.LINES,
    ("spawn", "souto-2022, figure 14a: fork / dispatch", "flows", "cycles per flow",
     curves(SPAWN, thread="mppa256: {} flows: spawn of a thread",
            task="mppa256: {} flows: spawn of a task")),
    ("join", "souto-2022, figure 14a: join / wait", "flows", "cycles per flow",
     curves(SPAWN, thread="mppa256: {} flows: join of a thread",
            task="mppa256: {} flows: join of a task")),
    ("energy", "souto-2022, figure 14b: energy of the flows", "flows", "J",
     curves(SPAWN, threads="mppa256: {} flows: energy of a thread",
            tasks="mppa256: {} flows: energy of a task")),
    ("calls", "souto-2022, figure 15b: response to remote kernel calls", "threads", "cycles",
     curves(CALLS, Threads_only="mppa256: {} threads: response of threads only",
            Threads_beside_the_Dispatcher="mppa256: {} threads: response with the Dispatcher",
            Dispatcher_beside_threads="mppa256: {} threads: response of the Dispatcher")),
    ("pginval", "souto-2022, figure 17: Pginval", "processes", "cycles of an invalidation",
     per_variant("mppa256: Pginval: {} processes: invalidation")),
    ("pginval-energy", "souto-2022, figure 17: Pginval", "processes", "J of an invalidation",
     per_variant("mppa256: Pginval: {} processes: energy of one")),
    ("pgfetch", "souto-2022, figure 17: Pgfetch", "processes", "cycles of a page",
     per_variant("mppa256: Pgfetch: {} processes: page fetched")),
    ("pgfetch-energy", "souto-2022, figure 17: Pgfetch", "processes", "J of a page",
     per_variant("mppa256: Pgfetch: {} processes: energy of one")),
)


def footprint_of(variant):
    kernel = "kernel, baseline" if variant == "baseline" else "kernel, full"
    run = f"LWMPI_VARIANT={variant} "
    return {"code of the kernel": (FOOTPRINT, kernel),
            "code of the services": (FOOTPRINT, "services"),
            "pools of the kernel": (run + SIZE, "mppa256: struct cluster with its pools"),
            "a daemon": (run + BEAT, "mppa256: memory of the name daemon")}


# Charts of parts: (file, title, unit, {bar: {part: (program, quantity)}}). Where the parts are of a
# whole, what they leave is told, too.
WHOLE = {"footprint": 2 << 20}
BARS = (
    ("heartbeat", "souto-2022, figure 16: one heartbeat, cycles of each core", "cycles",
     {variant: {part: (f"LWMPI_VARIANT={variant} {BEAT}", f"mppa256: heartbeat: {quantity}")
                for part, quantity in (("core of the caller", "core of the caller"),
                                       ("master core: kernel, Dispatcher", "master core"),
                                       ("other cores: daemon", "other cores"))}
      for variant in VARIANTS}),
    ("footprint", "souto-2022, figure 13: the system in 2 MB of a cluster", "bytes",
     {variant: footprint_of(variant) for variant in VARIANTS}),
    ("applications", "souto-2022, figure 18: GF and KM with 192 ranks", "s",
     {f"{name} {variant}": {"time": (f"LWMPI_VARIANT={variant} {program}", "time")}
      for name, program in (("GF", GF), ("KM", KM)) for variant in VARIANTS}),
)

CHARTS = tuple(chart[0] for chart in LINES + BARS)


def programs():
    """Every program that a row or a chart needs, once, in their order."""
    wanted = [value for row in ROWS for value in row[3][::2]]
    curves_of = [points for chart in LINES for points in chart[4].values()]
    wanted += [points[0] for points in curves_of if isinstance(points, tuple)]
    wanted += [program for points in curves_of if isinstance(points, dict)
               for value in points.values() for program in value[::2]]
    wanted += [part[0] for chart in BARS for bar in chart[3].values() for part in bar.values()]
    return list(dict.fromkeys(wanted))

# SPDX-License-Identifier: MIT
"""What was published, which quantity of which program says it here, and how the two compare.

A row: id, what, published, program, quantity, goal. The goal is "<= number" or ">= number" as the
comparison demands it ("same sign" is > 1), or "" where there is nothing to miss."""

SPAWN, CALLS = "task_spawn.sim each", "task_calls.sim each"

ROWS = (
    ("T60", "flows per MB, tasks / threads", "63.2", SPAWN,
     "mppa256: flows per MB task / thread", ">= 63.2"),
    ("T61", "fork of a thread / create + dispatch of a task, 1 flow", "2", SPAWN,
     "mppa256: 1 flows: spawn thread / task", ">= 2"),
    ("T61", "the same, 21 flows", "15.3", SPAWN,
     "mppa256: 21 flows: spawn thread / task", ">= 15.3"),
    ("T62", "join of a thread / wait for a task, 1 flow", "up to 1.87", SPAWN,
     "mppa256: 1 flows: join thread / task", ""),
    ("T62", "the same, 21 flows", "up to 1.87", SPAWN,
     "mppa256: 21 flows: join thread / task", ""),
    ("T63", "energy of 21 flows, threads / tasks", "6.6", SPAWN,
     "mppa256: 21 flows: energy thread / task", ">= 6.6"),
    ("T64", "remote kernel call, answered to a thread / to a task", "3.1", CALLS,
     "mppa256: master call thread / task", ">= 3.1"),
    ("T65", "kernel calls of 1 thread beside the Dispatcher / alone", "up to 1.22", CALLS,
     "mppa256: 1 threads: with the Dispatcher / threads only", "<= 1.22"),
    ("T65", "the same, 15 threads", "up to 1.22", CALLS,
     "mppa256: 15 threads: with the Dispatcher / threads only", "<= 1.22"),
)

NOTES = {
    "T61": "a thread's creation has one price in the machine file, so the ratio does not grow with "
           "the flows; the thread manager of the ancestor (its published sources) has one lock for "
           "all cores and a table that is searched, so its price grows",
    "T62": "not reproduced: a join finds an ended thread by its id under a lock that only starts "
           "and ends of threads take, so it costs one kernel call, like the wait for a task; with "
           "1 flow the task has not run yet when it is waited for, the thread has",
}

# Charts of quantities whose name holds a number: (file, title, x, y, program, {line: pattern}).
LINES = (
    ("spawn", "souto-2022, figure 14a: fork / dispatch", "flows", "cycles per flow", SPAWN,
     {"thread: create": "mppa256: {} flows: spawn of a thread",
      "task: create + dispatch": "mppa256: {} flows: spawn of a task"}),
    ("join", "souto-2022, figure 14a: join / wait", "flows", "cycles per flow", SPAWN,
     {"thread: join": "mppa256: {} flows: join of a thread",
      "task: wait": "mppa256: {} flows: join of a task"}),
    ("energy", "souto-2022, figure 14b: energy of the flows", "flows", "J", SPAWN,
     {"threads": "mppa256: {} flows: energy of a thread",
      "tasks": "mppa256: {} flows: energy of a task"}),
    ("calls", "souto-2022, figure 15b: response to remote kernel calls", "threads", "cycles", CALLS,
     {"Threads-only": "mppa256: {} threads: response of threads only",
      "Threads+Dispatcher": "mppa256: {} threads: response with the Dispatcher",
      "Dispatcher+Threads": "mppa256: {} threads: response of the Dispatcher"}),
)

CHARTS = tuple(chart[0] for chart in LINES)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how messages between two processes of this computer, each with a processor, are faster:
through cells of shared memory, copied by both, whose bytes the sender stores as it measures itself
to be faster (mpiutil/shared/afar.h), or always past its caches; or in a single copy by the receiver
with the system's help; and, of what comes through cells, how much at once its receiver had better
store past the caches, too. Then the same but for that amount where processes share processors, by
collectives of twice as many and of many of them, whose ranks send to all others at once, and where
a sender that does not store past its caches stores in them. Writes the least size to be stored past
caches always, the sizes between which the single copy is faster, and that amount, with the figures,
into machines/processors.tuning, the two sections of this processor (launcher/tuning.h says how they
are read)."""
import argparse
import math
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [HERE, os.path.join(HERE, "peers")]

import commands
import job
import library
from run import machine

SIZES = [1 << i for i in range(10, 23)]
SERIES = ("latency", "gap 1", "gap 16")
STREAMS = ("gap 1", "gap 16")  # all one way: cells come back to their sender from another processor
NEVER = "4294967295"  # bytes
CELLS = {"LWMPI_SINGLE_COPY": NEVER, "LWMPI_CACHED_BYTES": NEVER}
WAYS = {"cells": {**CELLS, "LWMPI_PAST_CACHES": NEVER},
        "past caches": {**CELLS, "LWMPI_PAST_CACHES": "0"},
        "single copy": {"LWMPI_SINGLE_COPY": "0", "LWMPI_SINGLE_COPY_MOST": NEVER},
        "both past caches": {**CELLS, "LWMPI_PAST_CACHES": "0", "LWMPI_CACHED_BYTES": "0"}}
MANY, MANY_MESSAGES = "gap 64", 64  # that come at once
LONG = [size for size in SIZES if size >= 128 << 10]  # these come in pieces
SHARED_SIZES = [1 << i for i in range(12, 21)]
# What each rank sends to all others, so that they are waited for together: two for each processor,
# which find their cells in caches, and many, which do not.
SHARED_SERIES = ("scatter", "alltoall")
SHARED_MANY = 64
# Bytes of all ranks' buffers, of each side: no longer messages are measured.
MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8
LIMIT = 10  # seconds for a point: what takes longer tells nothing
EXIT_USAGE = 2


class Failed(Exception):
    """Nothing can be chosen of what was measured; the text says why."""


def processor():
    """VENDOR-FAMILY-MODEL, as launcher/tuning.c has it."""
    keys = (("vendor_id", "CPU implementer"), ("cpu family", "CPU architecture"),
            ("model", "CPU part"))
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        first = dict(re.split(r"\s*:\s*", line, maxsplit=1)
                     for line in info.read().split("\n\n")[0].splitlines() if ":" in line)
    return "-".join(next((first[key] for key in names if key in first), "unknown")
                    for names in keys)


def measure(ours, turns, seconds, ranks, part, wanted, ways):
    """{way: {(series, bytes): seconds of each turn}} of the points wanted; the ways take turns.
    What the caller's environment sets of lwmpi counts for none of them. Raises Failed."""
    times = {way: {} for way in ways}
    bare = {name: value for name, value in ours.environment(ranks).items()
            if not name.startswith("LWMPI_")}
    sizes = ",".join(str(size) for size in sorted({size for _, size in wanted}))
    arguments = [part, str(seconds), sizes, str(2 * MEMORY)]
    for turn in range(turns):
        for way in ways:
            print(f"tune: {ranks} ranks, turn {turn + 1} of {turns}: {way}", file=sys.stderr,
                  flush=True)
            environment = {**bare, **WAYS[way], "LWMPI_TUNING": os.devnull}
            points = job.measure(ours.command(ranks, 1), arguments, environment, LIMIT, set())
            try:
                for series, size, taken in points:
                    if taken.over:
                        raise Failed(f"{series} of {size} bytes by {way} took more than {LIMIT} s")
                    times[way].setdefault((series, size), []).append(taken.seconds)
            except job.Failed as problem:
                raise Failed(f"{part} by {way}, {ranks} ranks: {problem}") from None
            for series, size in wanted:
                if (series, size) not in times[way]:
                    raise Failed(f"{series} of {size} bytes was passed over: the buffers of "
                                 f"{ranks} ranks may take {2 * MEMORY >> 20} MB of memory")
    return times


def summed(times, how):
    """{way: {(series, bytes): the turns as one}}"""
    return {way: {point: how(all_) for point, all_ in points.items()}
            for way, points in times.items()}


def longer(times, way, than, size, series=SERIES):
    """How much longer messages of that size take in one way than in another one: the mean ratio."""
    return math.prod(times[way][s, size] / times[than][s, size]
                     for s in series) ** (1 / len(series))


def least_of(ratio):
    """The least size from which on what has these ratios gains most in all; None: it never does."""
    sizes = sorted(ratio)
    lost, least = min((sum(math.log(ratio[size]) for size in sizes[i:]), i)
                      for i in range(len(sizes)))
    return sizes[least] if lost < 0 else None


def range_of(ratio):
    """(least, most): the range of sizes in which it gains most in all; None: there is none. One
    size within it at which it loses a little does not end it."""
    sizes = sorted(ratio)
    lost, least, most = min((sum(math.log(ratio[size]) for size in sizes[least:most + 1]), least,
                             most)
                            for least in range(len(sizes)) for most in range(least, len(sizes)))
    return (sizes[least], sizes[most]) if lost < 0 else None


def choose_past(times, sizes=SIZES, series=STREAMS):
    """({bytes: how much longer a message takes whose sender stores it past caches}, least_of)"""
    ratio = {size: longer(times, "past caches", "cells", size, series) for size in sizes}
    return ratio, least_of(ratio)


def choose(times, past, sizes=SIZES, series=SERIES):
    """({bytes: how much longer a single copy takes than cells}, range_of)"""
    ratio = {size: longer(times, "single copy",
                          "past caches" if past and size >= past else "cells", size, series)
             for size in sizes}
    return ratio, range_of(ratio)


def choose_cached(times):
    """({bytes at once: how much longer storing them past caches at both ends takes than at the
    sender's}, the most at which it takes longer, as for all that is less). What is less than all
    amounts measured stays in caches, for there its receiver will read it, which is not measured."""
    ratio = {MANY_MESSAGES * size: longer(times, "both past caches", "past caches", size, (MANY,))
             for size in LONG}
    cached = MANY_MESSAGES * LONG[0] // 2
    for size, factor in ratio.items():
        if factor < 1:
            break
        cached = size
    return ratio, cached


def bytes_of(n):
    return f"{n >> 20} MB" if n % (1 << 20) == 0 else f"{n >> 10} KB"


def shared_sizes(ranks):
    return [size for size in SHARED_SIZES if size * ranks ** 2 <= MEMORY] or SHARED_SIZES[:1]


def figures(times, ways, series, size):
    return " ".join(f"{times[way][series, size] * 1e6:9.4g}" if (series, size) in times[way]
                    else f"{'':9}" for way in ways)


def settings(past, chosen):
    yield f"LWMPI_PAST_CACHES      = {bytes_of(past) if past else NEVER + ' # never'}"
    if chosen is None:
        yield f"LWMPI_SINGLE_COPY      = {NEVER} # never"
    else:
        yield f"LWMPI_SINGLE_COPY      = {bytes_of(chosen[0])}"
        yield f"LWMPI_SINGLE_COPY_MOST = {bytes_of(chosen[1])}"


def section(name, times, turns):
    """The lines of this processor."""
    past_ratio, past = choose_past(times)
    ratio, chosen = choose(times, past)
    cached_ratio, cached = choose_cached(times)
    ways = ("cells", "past caches", "single copy")
    yield f"[{name}]"
    yield f"# {machine()}; {time.strftime('%Y-%m-%d')}, medians of {turns} turns."
    yield "# us for a message one way | in windows of 16, by cells, past caches, single copy"
    yield "# | mean ratios: past caches to cells all one way, single copy to the better cells"
    for size in SIZES:
        yield (f"# {bytes_of(size):>7}  {figures(times, ways, 'latency', size)} | "
               f"{figures(times, ways, 'gap 16', size)} | {past_ratio[size]:.2f} {ratio[size]:.2f}")
    yield from settings(past, chosen)
    yield "# us for a message of many at once: past caches at the sender, at both | ratio"
    for size in LONG:
        many = figures(times, ("past caches", "both past caches"), MANY, size)
        yield (f"# {bytes_of(MANY_MESSAGES * size):>7}  {many} | "
               f"{cached_ratio[MANY_MESSAGES * size]:.2f}")
    yield f"LWMPI_CACHED_BYTES     = {bytes_of(cached)}"


def section_shared(name, few, many, ranks, turns):
    """The lines for processes that share processors: where cells are written is measured by few,
    the single copy by all. `few`, `many`: means of the turns, as slow ones are to count."""
    ways = ("cells", "past caches", "single copy")
    sizes = shared_sizes(ranks[0])
    past_ratio, past = choose_past(few, sizes, SHARED_SERIES)
    few_ratio = choose(few, past, sizes, SHARED_SERIES)[0]
    many_ratio = choose(many, past, shared_sizes(ranks[1]), SHARED_SERIES[:1])[0]
    ratio = {size: math.sqrt(few_ratio[size] * many_ratio.get(size, few_ratio[size]))
             for size in sizes}
    yield f"[{name}-shared]"
    yield f"# {machine()}; {time.strftime('%Y-%m-%d')}, means of {turns} turns."
    yield (f"# us by cells, past caches, single copy: a scatter of {ranks[0]} ranks | "
           f"an alltoall | a scatter of {ranks[1]}")
    yield "# | mean ratios: past caches to cells of the few, single copy to the better cells of all"
    for size in sizes:
        yield (f"# {bytes_of(size):>7}  {figures(few, ways, SHARED_SERIES[0], size)} | "
               f"{figures(few, ways, SHARED_SERIES[1], size)} | "
               f"{figures(many, ways, SHARED_SERIES[0], size)} | "
               f"{past_ratio[size]:.2f} {ratio[size]:.2f}")
    yield from settings(past, range_of(ratio))


def replaced(text, name, lines):
    """The file with this section in the place of the one of that name, or in front of those for any
    processor, as the first one that fits counts."""
    new = "\n".join(lines) + "\n"
    parts = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    found = [i for i, part in enumerate(parts) if part.startswith(f"[{name}]")]
    any_processor = [i for i, part in enumerate(parts) if part.startswith("[*")]
    if found:
        parts[found[0]] = new + ("\n" if found[0] + 1 < len(parts) else "")
    elif any_processor:
        parts.insert(any_processor[0], new + "\n")
    else:
        parts = [text.rstrip("\n") + "\n\n" if text.strip() else "", new]
    return "".join(parts)


def arguments():
    parse = argparse.ArgumentParser(prog="lwmpi bench tune", description=__doc__)
    parse.add_argument("build", help=argparse.SUPPRESS)
    parse.add_argument("file", help=argparse.SUPPRESS)
    parse.add_argument("--output", metavar="FILE", help="written instead of "
                       "machines/processors.tuning, and read where LWMPI_TUNING names it")
    parse.add_argument("--turns", metavar="N", type=commands.positive(int), default=5,
                       help="how often each way is measured (5)")
    parse.add_argument("--seconds", metavar="S", type=commands.positive(float), default=0.05,
                       help="what a point takes of a turn (0.05)")
    given = parse.parse_args()
    given.path = given.output or given.file
    place = given.path if os.path.exists(given.path) else os.path.dirname(given.path) or "."
    if os.path.isdir(given.path) or not os.access(place, os.W_OK):
        parse.error(f"{given.path} cannot be written; name another file by --output")
    return given


def points_of(series, sizes):
    return [(name, size) for name in series for size in sizes]


def measured(given, ours):
    """The sections, [(name, lines)]."""
    name, turns, seconds = processor(), given.turns, given.seconds
    points = [*points_of(SERIES, SIZES), *points_of((MANY,), LONG)]
    pair = summed(measure(ours, turns, seconds, 2, "pair", points, WAYS), statistics.median)
    ways = [way for way in WAYS if way != "both past caches"]
    processors = len(os.sched_getaffinity(0))
    ranks = 2 * processors, max(SHARED_MANY, 4 * processors)
    few, many = (summed(measure(ours, turns, seconds, n, "coll:" + ",".join(series),
                                points_of(series, shared_sizes(n)), ways), statistics.mean)
                 for n, series in zip(ranks, (SHARED_SERIES, SHARED_SERIES[:1])))
    return [(name, list(section(name, pair, turns))),
            (name + "-shared", list(section_shared(name, few, many, ranks, turns)))]


def main():
    given = arguments()
    if len(os.sched_getaffinity(0)) < 2:
        print("tune: two processors are needed, each for a process; this computer gives one",
              file=sys.stderr)
        return EXIT_USAGE
    found = library.find(["lwmpi"], os.path.join(given.build, "peers"), given.build)
    if not found:
        return 1
    try:
        sections = measured(given, found["lwmpi"])
    except Failed as problem:
        print(f"tune: nothing was written: {problem}", file=sys.stderr)
        return 1
    path = given.path
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as old:
            text = old.read()
    for of, lines in sections:
        print("\n".join(lines))
        text = replaced(text, of, lines)
    with open(path, "w", encoding="utf-8") as new:
        new.write(text)
    print(path)
    return 0


if __name__ == "__main__":
    commands.run(main)

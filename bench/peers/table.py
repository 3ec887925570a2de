# SPDX-License-Identifier: MIT
"""Tables of times and ratios, the lines of verdicts, and the rows of the CSV file."""
import math

import ratio
import rows as targets

RATIOS = ("ratio", "ratio_impi", "ratio_mpich")
HEADER = ("row", "ranks", "series", "size", "column", "median_us", "min_us", "max_us", "turns",
          "beyond_limit", *RATIOS)


def points(row, turns):
    """{(ranks, series, bytes): {column: [Time]}} of a row, in the order of measuring."""
    found = {}
    for job in row.jobs:
        for (series, size), times in turns.times.get(turns.key(row, job), {}).items():
            found.setdefault((job.ranks, series, size), {})[job.label] = times
    series = list(dict.fromkeys(point[:2] for point in found))
    return {point: found[point]
            for point in sorted(found, key=lambda point: (series.index(point[:2]), point[2]))}


def columns(row):
    return list(dict.fromkeys(job.label for job in row.jobs))


def ratios(row, medians):
    """A Ratio or None for each comparison of the row, of one point's {column: Time}."""
    return [ratio.ratio(medians.get(row.ours), [medians[name] for name in against.columns
                                                if name in medians]) for against in row.against]


def shown(time, unit):
    if time is None:
        return "-"
    return f"> {time.seconds:g} s" if time.over else f"{time.seconds * unit.per_second:.4g}"


def shown_ratio(found):
    """A time without one of ours has no ratio to show."""
    return "-" if found is None or found.value == math.inf else f"{found.sign}{found.value:.3f}"


def lines(row, found):
    """The tables of a row: one for each number of ranks and series, or size."""
    names, before, unit = columns(row), None, row.unit
    width = max(10, *(len(name) + 1 for name in names)) if names else 10
    for (ranks, series, size), times in found.items():
        title, first, label = (f"{size} {unit.size}", "", series) if unit.lines_are_series else \
            (series, unit.size, size)
        if (ranks, title) != before:
            before = ranks, title
            yield f"\n{title}, {ranks} ranks, {unit.time}"
            yield f"{first:>9}" + "".join(f"{name:>{width}}" for name in names) + \
                "".join(f"{'/' + against.title:>{width}}" for against in row.against)
        medians = {name: ratio.median(taken) for name, taken in times.items()}
        yield f"{label:>9}" + \
            "".join(f"{shown(medians.get(name), unit):>{width}}" for name in names) + \
            "".join(f"{shown_ratio(one):>{width}}" for one in ratios(row, medians))


def records(row, found):
    for (ranks, series, size), times in found.items():
        medians = {name: ratio.median(taken) for name, taken in times.items()}
        compared = {against.record: shown_ratio(one)
                    for against, one in zip(row.against, ratios(row, medians))}
        for name, taken in times.items():
            known = [1e6 * time.seconds for time in taken]
            yield (row.name, ranks, series, size, name, f"{1e6 * medians[name].seconds:.6g}",
                   f"{min(known):.6g}", f"{max(known):.6g}", len(taken),
                   "yes" if medians[name].over else "",
                   *(compared.get(record, "") if name == row.ours else "" for record in RATIOS))


def where(point, unit):
    size = "" if unit.lines_are_series else f", {point[2]} B"
    return f"{point[1]}, {point[0]} ranks{size}"


def verdicts(row, found):
    """Lines (what, worst, met or missed) of a row."""
    if row.program == "overlap":
        return hidden(row, found)
    return [judged(row, found, number, against) for number, against in enumerate(row.against)]


def judged(row, found, number, against):
    of = {point: ratios(row, {name: ratio.median(taken) for name, taken in times.items()})[number]
          for point, times in found.items()}
    best = "the best of " if len(against.columns) > 1 else ""
    limit = against.limit or 1.0
    what = f"{row.name}: " + (f"<= {limit:g} of" if against.limit else "beside") + \
        f" {best}{', '.join(against.columns)}"
    result = ratio.verdict(of, limit)
    if not result.compared:
        return what, "nothing to compare with", "not judged"
    text = f"worst {shown_ratio(result.worst)} ({where(result.where, row.unit)}); " \
        if result.where else ""
    text += f"{result.above} of {result.compared} above {limit:g}"
    if against.never and against.never > limit:
        text += f", {ratio.verdict(of, against.never).above} above {against.never:g}"
    if result.missing:
        text += f", {result.missing} of them without a time of ours"
    if len(of) > result.compared:
        text += f"; {len(of) - result.compared} without another time"
    return what, text, ("met" if result.met else "missed") if against.limit else ""


def hidden(row, found):
    """How much of an exchange each library hides; only ours has a target."""
    made = []
    for ranks, series, size in found:
        if series != "alone":
            continue
        for name in columns(row):
            pair = [found.get((ranks, which, size), {}).get(name) for which in
                    ("alone", "behind 3 ms")]
            medians = [ratio.median(times) for times in pair if times]
            if len(medians) < 2 or medians[0].over or medians[1].over:
                percent, verdict = None, "missed"
            else:
                percent = ratio.hidden(*(time.seconds for time in medians), targets.WORK)
                verdict = "met" if percent >= targets.HIDDEN else "missed"
            made.append((f"overlap: {name}: {size >> 10} KB hidden to {targets.HIDDEN} %",
                         "not measured" if percent is None else f"{percent:.1f} %",
                         verdict if name == targets.OURS else ""))
    return made

# SPDX-License-Identifier: MIT
"""Charts and their tables from what programs said."""
import re

import conditions
import experiment
import measure
import plot
import published
import table

RAN = ("seeds", "ran on", "computation", "problem", "programs")
UNKNOWN = ("",) * (1 + len(RAN))    # of a published or computed value, from the interval on


def row_of(found, value, cells):
    """Cells of a table's row, and what ran for them."""
    (mean, half), seeds = measure.interval(cells[-1]), len(cells[-1])
    programs = dict.fromkeys(experiment.programs_of(value))
    return (*cells[:-1], f"{mean:.6g}", f"{half:.3g}", seeds, conditions.on(found, value),
            conditions.computation(found, [value]), conditions.problems(found, value),
            "; ".join(programs))


def points(found, where):
    """[(x, [number with each seed], value)] of a curve, in the order of x."""
    if isinstance(where, list) and isinstance(where[0], experiment.At):
        results = ((x, experiment.evaluate(found, value), value) for x, value in where)
        return sorted((x, result[0], value) for x, result, value in results if result)
    if isinstance(where, list):
        results = ((value, experiment.evaluate(found, value)) for value in where)
        return sorted((conditions.ranks(found, [value])[-1], result[0], value)
                      for value, result in results if result)
    program, pattern = where
    shape = re.compile(re.escape(pattern).replace(r"\{\}", r"(\d+)"))
    values = found[program].values if program in found else {}
    return sorted((int(hit.group(1)), numbers, (program, name))
                  for name, (numbers, _) in values.items()
                  for hit in [shape.fullmatch(name)] if hit)


def title(found, chart, values):
    """Of a chart: its ranks where they are the same for all of it, and whether it was shortened."""
    ranks = conditions.ranks(found, values)
    short = (any(experiment.is_short(value) for value in values) or
             any(len(ran.seeds) < (measure.most(program) or measure.SEEDS)
                 for program, ran in conditions.runs(found, values)))
    return (chart.title + (f", {ranks[0]} ranks" if len(ranks) == 1 else "") +
            (" (short run)" if short else ""))


def line_chart(found, out, chart):
    data = {label: points(found, where) for label, where in chart.curves.items()}
    data = {label: values for label, values in data.items() if values}
    if not data:
        return None
    rows = [row_of(found, value, (x, label, numbers)) for label, curve in data.items()
            for x, numbers, value in curve]
    rows += [(x, f"{label}, published", f"{y:.6g}", *UNKNOWN)
             for label, told in chart.published.items() for x, y in told]
    table.write(out, chart.file, (chart.x, "series", "mean", "confidence95", *RAN), rows)
    curves = {label: [(x, *measure.interval(numbers)) for x, numbers, _ in curve]
              for label, curve in data.items()}
    values = [value for curve in data.values() for _, _, value in curve]
    return values, lambda path, heading, under: plot.lines(path, heading, under, chart, curves)


def bar_chart(found, out, chart):
    data = {bar: {part: (value, result[0]) for part, value in parts.items()
                  for result in [experiment.evaluate(found, value)] if result}
            for bar, parts in chart.bars.items()}
    if not any(data.values()):
        return None
    rows = [row_of(found, value, (bar, part, numbers)) for bar, parts in data.items()
            for part, (value, numbers) in parts.items()]
    stacks = {bar: {part: measure.interval(numbers) for part, (_, numbers) in parts.items()}
              for bar, parts in data.items()}
    for bar, parts in stacks.items() if chart.whole else ():
        left = chart.whole - sum(mean for mean, _ in parts.values())
        print(f"{chart.file}: {bar} leaves {table.show(left, 0)} {chart.unit} to programs")
        rows.append((bar, "left", f"{left:.6g}", *UNKNOWN))
    table.write(out, chart.file, ("bar", "part", "mean", "confidence95", *RAN), rows)
    values = [value for parts in data.values() for value, _ in parts.values()]
    return values, lambda path, heading, under: plot.bars(path, heading, under, chart, stacks)


def make(found, out, charts, draw, rows):
    """Writes what could be measured of the charts; returns [(chart, title, caption)] of it.
    Without `draw` there are tables only. rows: all of the table, for their roles."""
    makers, made = {experiment.Lines: line_chart, experiment.Bars: bar_chart}, []
    for chart in charts:
        result = makers[type(chart)](found, out, chart)
        if result is None:
            continue
        values, picture = result
        told = conditions.made_with(rows, getattr(chart, "targets", ()))
        made.append((chart, title(found, chart, values),
                     conditions.caption(found, values, told)))
        if draw:
            picture(table.path(out, chart.file, "svg"), *made[-1][1:])
    return made

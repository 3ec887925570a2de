# SPDX-License-Identifier: MIT
"""Charts and their tables from what programs said."""
import os
import re

import experiment
import measure
import plot
import published
import table


def points(found, where):
    """[(x, mean, half width)] of a curve, in the order of x."""
    if isinstance(where, dict):
        results = ((x, experiment.evaluate(found, value)) for x, value in where.items())
        return sorted((x, *measure.interval(result[0])) for x, result in results if result)
    program, pattern = where
    shape = re.compile(re.escape(pattern).replace(r"\{\}", r"(\d+)"))
    return sorted((int(hit.group(1)), *measure.interval(values))
                  for name, (values, _) in found.get(program, {}).items()
                  for hit in [shape.fullmatch(name)] if hit)


def is_short(chart):
    return any(experiment.is_short(value) for value in published.values_of(chart))


def title(chart):
    return chart.title + (" (short run)" if is_short(chart) else "")


def about(chart, seeds):
    """The line under the title: what ran."""
    programs = [program for value in published.values_of(chart)
                for program in experiment.programs_of(value)]
    count = max(len(seeds[:measure.most(program)]) for program in programs)
    return (f"mppa256, modelled; {count} seed{'s' * (count != 1)}" +
            ("; small problems, fewer ranks than published" if is_short(chart) else ""))


def draw(out, name, picture):
    with open(os.path.join(out, name + ".svg"), "w", encoding="utf-8") as file:
        file.write(picture)


def line_chart(found, out, chart, under):
    data = {label: points(found, where) for label, where in chart.curves.items()}
    data = {label: values for label, values in data.items() if values}
    if not data:
        return False
    draw(out, chart.file, plot.lines(title(chart), under, chart.x, chart.y, data, chart.published,
                                     chart.log))
    rows = [(x, label, f"{mean:.6g}", f"{half:.3g}") for label, values in data.items()
            for x, mean, half in values]
    rows += [(x, f"{label}, published", f"{y:.6g}", "") for label, values in
             chart.published.items() for x, y in values]
    table.write(out, chart.file, (chart.x, "series", "mean", "confidence95", "ran"),
                [(*row, under) for row in rows])
    return True


def bar_chart(found, out, chart, under):
    data = {bar: {part: experiment.evaluate(found, value) for part, value in parts.items()}
            for bar, parts in chart.bars.items()}
    data = {bar: {part: measure.interval(result[0]) for part, result in parts.items() if result}
            for bar, parts in data.items()}
    if not any(data.values()):
        return False
    parts = list(dict.fromkeys(part for parts in data.values() for part in parts))
    draw(out, chart.file, plot.bars(title(chart), under, chart.unit, list(data), parts, data))
    rows = [(bar, part, f"{mean:.6g}", f"{half:.3g}") for bar, parts in data.items()
            for part, (mean, half) in parts.items()]
    for bar, parts in data.items() if chart.whole else ():
        left = chart.whole - sum(mean for mean, _ in parts.values())
        print(f"{chart.file}: {bar} leaves {table.show(left, 0)} {chart.unit} to programs")
        rows.append((bar, "left", f"{left:.6g}", ""))
    table.write(out, chart.file, ("bar", "part", "mean", "confidence95", "ran"),
                [(*row, under) for row in rows])
    return True


def make(found, out, charts, seeds):
    """Writes what could be measured of the charts; returns how many."""
    makers = {experiment.Lines: line_chart, experiment.Bars: bar_chart}
    return sum(makers[type(chart)](found, out, chart, about(chart, seeds)) for chart in charts)

# SPDX-License-Identifier: MIT
"""All that is repeated of the published experiments, at one scale: rows, charts, programs."""
import ho
import hpl
import souto
import styles
import targets
import uller
from experiment import At, Lines, programs_of, with_ancestor

SOURCES = (ho, hpl, styles, uller, souto)
NOTES = {number: note for source in SOURCES for number, note in source.NOTES.items()}


def not_done(scale):
    """Why a target has no row: by its id, or by id and part."""
    return {
        **{place: why for source in SOURCES for place, why in source.NOT_DONE.items()},
        **({} if scale.hpl else hpl.WITHOUT),
        **({} if scale.bare else souto.WITHOUT_BARE),
    }


def rows(scale):
    """A target whose part ends in "ancestor" is held against the same of the ancestor."""
    own = [row for source in SOURCES for row in source.rows(scale)]
    there = {(row.id, row.part) for row in own}
    wanted = {(target.id, target.part.removesuffix(", ancestor")) for target in targets.read()
              if target.part.endswith(", ancestor") and (target.id, target.part) not in there}
    return list(with_ancestor(own, wanted))


def charts(scale):
    return [chart for source in SOURCES for chart in source.charts(scale)]


def values_of(chart):
    """What a chart is made of, all of it."""
    if not isinstance(chart, Lines):
        return list(chart.bars.values())
    return [where[:1] if isinstance(where, tuple) else
            [each.value if isinstance(each, At) else each for each in where]
            for where in chart.curves.values()]


def programs(of_rows, of_charts):
    """Every program that these rows and charts need, once, in their order."""
    values = [row.value for row in of_rows]
    values += [value for chart in of_charts for value in values_of(chart)]
    return list(dict.fromkeys(program for value in values for program in programs_of(value)))

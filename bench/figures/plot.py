# SPDX-License-Identifier: MIT
"""Line and bar charts as SVG, with nothing but the standard library."""
import math
from html import escape

WIDTH, LEFT, RIGHT, TOP, PLOT, BELOW = 640, 78, 20, 58, 270, 58
LETTER = 7  # widest of a digit, in the units of the picture
COLOURS = ("#1f5f99", "#c8501e", "#3c8c40", "#8a4fa3", "#b08a1a", "#5a5a5a")
PUBLISHED = "dashed, hollow: published"


def ticks(top):
    """About five round numbers from 0 up to at least top."""
    unit = 10.0 ** math.floor(math.log10(top)) if top > 0 else 1.0
    step = next(unit * f for f in (0.2, 0.5, 1, 2) if top <= 6 * unit * f)
    return [i * step for i in range(math.ceil(top / step - 1e-9) + 1)] if top > 0 else [0.0, 1.0]


def log_ticks(low, high):
    """1, 2, 5, 10, ... from at most low up to at least high."""
    marks = [f * 10.0 ** e for e in range(math.floor(math.log10(low)),
                                          math.ceil(math.log10(high)) + 1) for f in (1, 2, 5)]
    first = max(i for i, mark in enumerate(marks) if mark <= low * (1 + 1e-9))
    last = min(i for i, mark in enumerate(marks) if mark >= high * (1 - 1e-9))
    return marks[first:max(last, first + 1) + 1]


def number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def apart(places):
    """[(x, text)]: those of the labels that do not touch the one before."""
    kept, end = [], -math.inf
    for x, text in places:
        half = len(text) * LETTER / 2
        if x - half > end:
            kept.append((x, text))
            end = x + half + LETTER
    return kept


class Scale:
    """From values to places between two ends."""

    def __init__(self, low, high, begin, end, log):
        self.of = math.log if log else float
        self.low, self.begin = self.of(low), begin
        self.unit = (end - begin) / ((self.of(high) - self.low) or 1)

    def __call__(self, value):
        return self.begin + (self.of(value) - self.low) * self.unit


class Chart:
    def __init__(self, title, under, labels, marks, log=False):
        self.title, self.under, (self.x_label, self.y_label) = title, under, labels
        self.parts, self.legend = [], []
        self.lowest = marks[0]
        self.y = Scale(marks[0], marks[-1], TOP + PLOT, TOP, log)
        for mark in marks:
            y = self.y(mark)
            self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                              'stroke="#ddd"/>')
            self.text(LEFT - 6, y + 4, number(mark), "end")

    def text(self, x, y, words, anchor="middle", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>'
                          f'{escape(words)}</text>')

    def error(self, x, value, half):
        if half > 0:
            low = self.y(max(value - half, self.lowest))
            self.parts.append(f'<path d="M{x:.1f} {low:.1f}V{self.y(value + half):.1f}" '
                              'stroke="#222"/>')

    def curve(self, at, colour, hollow=False):
        """A line through places with a mark at each; dashed and hollow if it was published, and
        then no line where the source names but two values."""
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        dashes, inside = (' stroke-dasharray="5 4"', "#fff") if hollow else ("", colour)
        if not hollow or len(at) > 2:
            self.parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"'
                              f'{dashes}/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 if hollow else 3}" '
                       f'stroke="{colour}" fill="{inside}"/>' for x, y in at]

    def finish(self):
        legend = [(name, COLOURS[i % len(COLOURS)]) for i, name in enumerate(self.legend)]
        for i, (name, colour) in enumerate(legend):
            x, y = LEFT + 10 + i % 2 * 270, TOP + PLOT + BELOW + i // 2 * 16
            if name == PUBLISHED:
                colour = "none"
            self.parts.append(f'<rect x="{x}" y="{y - 9}" width="12" height="10" '
                              f'fill="{colour}"/>')
            self.text(x + 18, y, name, "start")
        height = TOP + PLOT + BELOW + (len(legend) + 1) // 2 * 16
        self.text(WIDTH / 2, 22, self.title, more='font-size="15"')
        self.text(WIDTH / 2, 40, self.under, more='fill="#555"')
        self.text((LEFT + WIDTH - RIGHT) / 2, TOP + PLOT + 36, self.x_label)
        self.text(16, TOP + PLOT / 2, self.y_label,
                  more=f'transform="rotate(-90 16 {TOP + PLOT / 2:.0f})"')
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                f'font-family="sans-serif" font-size="12">\n'
                f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n')


def lines(title, under, x_label, y_label, series, published, log=""):
    """series: {name: [(x, mean, half width)]}; published: {the same name: [(x, y)]}; log: which
    axes are logarithmic, "", "x" or "xy"."""
    measured = [p for values in series.values() for p in values]
    told = [p for name in series for p in published.get(name, ())]
    places = sorted({p[0] for p in measured + told})
    top = max([p[1] + p[2] for p in measured] + [p[1] for p in told])
    least = min([p[1] for p in measured] + [p[1] for p in told])
    log_y = "y" in log and least > 0
    chart = Chart(title, under, (x_label, y_label), log_ticks(least, top) if log_y else ticks(top),
                  log_y)
    x_of = Scale(places[0], places[-1], LEFT + 20, WIDTH - RIGHT - 20, "x" in log)
    for x, text in apart([(x_of(x), number(x)) for x in places]):
        chart.text(x, TOP + PLOT + 18, text)
    for i, (name, values) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        if name in published:
            chart.curve([(x_of(x), chart.y(y)) for x, y in published[name]], colour, True)
        chart.curve([(x_of(x), chart.y(mean)) for x, mean, _ in values], colour)
        for x, mean, half in values:
            chart.error(x_of(x), mean, half)
    chart.legend = [*series, *([PUBLISHED] if told else [])]
    return chart.finish()


def bars(title, under, y_label, groups, names, values):
    """values[group][name] = (mean, half width): stacks of `names`, one stack for each group."""
    top = max(sum(values[g].get(n, (0, 0))[0] for n in names) for g in groups)
    chart = Chart(title, under, ("", y_label), ticks(top))
    place = (WIDTH - LEFT - RIGHT) / len(groups)
    for i, group in enumerate(groups):
        x, below = LEFT + place * (i + 0.5), 0.0
        for k, name in enumerate(names):
            mean, half = values[group].get(name, (0, 0))
            high, low = chart.y(below + mean), chart.y(below)
            chart.parts.append(f'<rect x="{x - place * 0.28:.1f}" y="{high:.1f}" '
                               f'width="{place * 0.56:.1f}" height="{low - high:.1f}" '
                               f'fill="{COLOURS[k % len(COLOURS)]}"/>')
            below += mean
            chart.error(x, below, half)
        chart.text(x, TOP + PLOT + 18, group)
    chart.legend = list(names)
    return chart.finish()

# SPDX-License-Identifier: MIT
"""Line and bar charts as SVG, with nothing but the standard library."""
import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 78, 20, 40, 92
COLOURS = ("#1f5f99", "#c8501e", "#3c8c40", "#8a4fa3", "#b08a1a", "#5a5a5a")


def ticks(top):
    """About five round numbers from 0 up to at least top."""
    unit = 10.0 ** math.floor(math.log10(top)) if top > 0 else 1.0
    step = next(unit * f for f in (0.2, 0.5, 1, 2) if top <= 6 * unit * f)
    return [i * step for i in range(math.ceil(top / step - 1e-9) + 1)] if top > 0 else [0.0, 1.0]


def number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


class Chart:
    def __init__(self, title, x_label, y_label, top):
        self.marks = ticks(top)
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.parts, self.legend = [], []
        for mark in self.marks:
            y = self.y(mark)
            self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                              'stroke="#ddd"/>')
            self.text(LEFT - 6, y + 4, number(mark), "end")

    def y(self, value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.marks[-1]

    def text(self, x, y, words, anchor="middle", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>'
                          f'{escape(words)}</text>')

    def error(self, x, value, half):
        if half > 0:
            self.parts.append(f'<path d="M{x:.1f} {self.y(value - half):.1f}V'
                              f'{self.y(value + half):.1f}" stroke="#222"/>')

    def finish(self):
        for i, name in enumerate(self.legend):
            x, y = LEFT + 10 + i % 2 * 270, HEIGHT - 34 + i // 2 * 16
            self.parts.append(f'<rect x="{x}" y="{y - 9}" width="12" height="10" '
                              f'fill="{COLOURS[i % len(COLOURS)]}"/>')
            self.text(x + 18, y, name, "start")
        self.text(WIDTH / 2, 22, self.title, more='font-size="15"')
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 36, self.x_label)
        self.text(16, (HEIGHT - BOTTOM + TOP) / 2, self.y_label,
                  more=f'transform="rotate(-90 16 {(HEIGHT - BOTTOM + TOP) / 2:.0f})"')
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'font-family="sans-serif" font-size="12">\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{body}\n</svg>\n')


def lines(title, x_label, y_label, series):
    """series: {name: [(x, mean, half width)]}."""
    points = [p for values in series.values() for p in values]
    first, last = min(p[0] for p in points), max(p[0] for p in points)
    chart = Chart(title, x_label, y_label, max(p[1] + p[2] for p in points))
    scale = (WIDTH - LEFT - RIGHT - 30) / ((last - first) or 1)
    places = sorted({p[0] for p in points})
    for x in places[::max(1, len(places) // 12)]:
        chart.text(LEFT + 15 + (x - first) * scale, HEIGHT - BOTTOM + 18, number(x))
    for i, (name, values) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        at = [(LEFT + 15 + (x - first) * scale, chart.y(mean)) for x, mean, _ in values]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        chart.parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (x, y), (_, mean, half) in zip(at, values):
            chart.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            chart.error(x, mean, half)
        chart.legend.append(name)
    return chart.finish()


def bars(title, y_label, groups, names, values):
    """values[group][name] = (mean, half width): stacks of `names`, one stack for each group."""
    top = max(sum(values[g].get(n, (0, 0))[0] for n in names) for g in groups)
    chart = Chart(title, "", y_label, top)
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
        chart.text(x, HEIGHT - BOTTOM + 18, group)
    chart.legend = list(names)
    return chart.finish()

# SPDX-License-Identifier: MIT
"""Line and bar charts as SVG, by matplotlib. Where that is not installed, `ready` is False and no
chart can be drawn."""
import textwrap

try:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
    ready = True
except ImportError:
    ready = False

WIDE, HIGH = 9.0, 4.8           # inches
CAPTION = 125                   # letters in a line of it
LABELS = 10                     # on an axis, so that they stay apart
WIDE_RANGE = 30                 # highest / lowest of curves that need a logarithmic axis
MARKERS = "os^Dv<>P*X"
STYLE = {
    "svg.hashsalt": "lwmpi",    # the same figures give the same bytes
    "font.size": 10,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
}


def size(number, label):
    """A place on the x axis: 1,024 bytes are 1 K."""
    if label == "bytes" and number >= 1024 and number % 1024 == 0:
        return f"{number // 1024} K"
    return f"{number:,}"


def plain(value, _=None):
    """A number on the y axis."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    text = f"{value:g}"
    return f"{value:.9f}".rstrip("0") if "e" in text else text


def value_marks(axes, label, log):
    if log:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(plain))
    axes.set_ylabel(label)


def place_marks(axes, places, label, log):
    """Marks at the x that were measured, so many that they stay apart."""
    step = -(-len(places) // LABELS)
    shown = places[::step]
    if log:
        axes.set_xscale("log", base=2)
    axes.set_xticks(shown, [size(x, label) for x in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(label)


def finish(figure, axes, names, path, title, under):
    """The legend beside the axes, in the order of names; title, caption, the file."""
    drawn, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda i: names.index(labels[i]))
    axes.legend([drawn[i] for i in order], [labels[i] for i in order], bbox_to_anchor=(1.01, 1),
                loc="upper left", frameon=False)
    figure.suptitle(title, fontsize=12)
    figure.supxlabel(textwrap.fill(under, CAPTION), fontsize=8, color="#444444")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def lines(path, title, under, chart, series):
    """series: {name: [(x, mean, half width)]}; published curves have the colour of their own. Each
    curve is thinner than the one before, so that of curves on one another all can be seen."""
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(WIDE, HIGH), layout="constrained")
        for i, (name, values) in enumerate(series.items()):
            x, mean, half = zip(*values)
            above = len(series) - 1 - i
            drawn = axes.errorbar(x, mean, half, label=name, marker=MARKERS[i % len(MARKERS)],
                                  markersize=4 + 0.6 * above, linewidth=1.2 + 0.45 * above,
                                  capsize=3, elinewidth=1)
            told = chart.published.get(name)
            if told:
                axes.plot(*zip(*told), label=f"{name}, published", color=drawn[0].get_color(),
                          linestyle="--" if len(told) > 2 else "none", marker="o", fillstyle="none",
                          markersize=7)
        places = {x for values in series.values() for x, _, _ in values}
        places |= {x for name in series for x, _ in chart.published.get(name, ())}
        place_marks(axes, sorted(places), chart.x, "x" in chart.log)
        means = [mean for values in series.values() for _, mean, _ in values]
        wide = min(means) > 0 and max(means) / min(means) > WIDE_RANGE
        value_marks(axes, chart.y, wide or "y" in chart.log)
        names = [label for name in series for label in (name, f"{name}, published")]
        finish(figure, axes, names, path, title, under)


def bars(path, title, under, chart, stacks):
    """stacks: {bar: {part: (mean, half width)}}."""
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(WIDE, HIGH), layout="constrained")
        names, below = list(stacks), [0.0] * len(stacks)
        all_parts = list(dict.fromkeys(part for parts in stacks.values() for part in parts))
        for part in all_parts:
            pairs = [stacks[name].get(part, (0, 0)) for name in names]
            means, halves = map(list, zip(*pairs))
            axes.bar(names, means, 0.6, below, yerr=halves, capsize=3, label=part)
            below = [a + b for a, b in zip(below, means)]
        axes.grid(axis="x", visible=False)
        value_marks(axes, chart.unit, False)
        finish(figure, axes, all_parts, path, title, under)

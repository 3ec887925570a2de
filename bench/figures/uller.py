# SPDX-License-Identifier: MIT
"""uller-2021, chapter 7: MPI on the modelled MPPA-256 and its applications, on the protocols of the
paper (opt, unopt), without MPI (IPC), and on the protocols of this MPI (default). uller-2020: many
threads on one portal. The first three are of the programs as the source's code has them, the last
one is of those of apps (without --published).

FN and KM have the parameters of table 5; GF has 24 images for each cluster, not 1200: a fiftieth
of the time, the same ratios."""
import statistics

from experiment import Lines, Of, Row, of_ancestor

FORMS = {"opt": "LWMPI_PROTOCOLS=paper-opt ", "unopt": "LWMPI_PROTOCOLS=paper-unopt ", "IPC": "",
         "default": ""}
OWN = "default", "own IPC"  # who run the programs of apps as they are without an option
ALONE = " --cycles 0"  # communication alone: what a worker computes takes no time
PASSES = 20  # of KM over its points
PUBLISHED = " --published"
SMALL = {"fn": " --quick", "gf": " --quick --side 64", "km": " --quick"}
SIZES = tuple(128 << i for i in range(9))
MULTIPLEX, THREADS = "ikc_multiplex.sim", "mppa256: portal throughput of {} threads"


def parameters(scale, app, ranks):
    """Of a program with a problem of the scale's size."""
    if scale.short:
        return SMALL[app]
    return {"fn": "", "gf": f" --images {2 * ranks // scale.share}",
            "km": f" --iterations {PASSES // scale.share}" if scale.share > 1 else ""}[app]


def run(scale, app, ranks, form, more=""):
    name = app + "_ipc.sim" if form.endswith("IPC") else app
    published = "" if form in OWN else PUBLISHED
    return (f"{FORMS.get(form, '')}mpi {ranks} -- {name}{parameters(scale, app, ranks)}{published}"
            f"{more}")


def a2a(mapping, form):
    return f"{FORMS[form]}mpi 12 --map {mapping} -- a2a"


def gain(scale, app, ranks, better, than, more=""):
    """How much longer the form `than` takes."""
    return (run(scale, app, ranks, than, more), "time", run(scale, app, ranks, better, more),
            "time")


def over_ranks(function, scale, app, better, than):
    return Of(function, tuple(gain(scale, app, ranks, better, than) for ranks in scale.ranks))


def divided(values):
    return values[0] / values[1]


def efficiency(scale, app, form, ranks):
    """Of weak scaling: the problem grows with the ranks, the time should not."""
    return run(scale, app, scale.ranks[0], form), "time", run(scale, app, ranks, form), "time"


def scattered(form, size):
    quantity = f"superstep of {size} B"
    return a2a("scatter", form), quantity, a2a("compact", form), quantity


def portal_rows():
    value = (MULTIPLEX, THREADS.format(15), MULTIPLEX, THREADS.format(1))
    yield Row("T20", "throughput of 15 threads / of 1 on CC", "prediction", value)
    port = "mppa256: throughput of a port on {} with {} threads"
    yield Row("T20", "CC side / IO side", "prediction",
              (MULTIPLEX, port.format("CC", 15), MULTIPLEX, port.format("IO", 15)))
    yield Row("T20", "15 threads / 1, as the ports on CC count it", "prediction",
              (MULTIPLEX, port.format("CC", 15), MULTIPLEX, port.format("CC", 1)))
    yield Row("T20", "this project's own falls less", "design", value,
              "sharing a portal costs nothing: each transfer has one of 16 channels to itself, "
              "where the ancestor has one channel behind one lock")


def a2a_rows():
    longest, short = "longest / shortest superstep", "the same up to 4096 B"
    yield Row("T40", "opt, longest / shortest superstep", "prediction",
              (a2a("compact", "opt"), longest))
    yield Row("T40", "default, longest / shortest superstep", "design",
              (a2a("compact", "default"), longest),
              "copies once and does no more, so a superstep of small messages is short and the "
              "copy shows; the paper's looks up a name for each message")
    yield Row("T41", "opt, longest / shortest up to 4 KB", "prediction",
              (a2a("scatter", "opt"), short))
    beyond = (a2a("scatter", "opt"), "superstep of 8192 B",
              a2a("scatter", "opt"), "superstep of 4096 B")
    yield Row("T41", "opt, 8 KB / 4 KB, against longest / shortest up to 4 KB", "prediction",
              Of(divided, (beyond, (a2a("scatter", "opt"), short))))
    yield Row("T41", "opt, 32 KB / 4 KB", "prediction",
              (a2a("scatter", "opt"), "superstep of 32768 B / of 4096 B"))
    yield Row("T42", "opt, best of 128 B to 32 KB", "prediction",
              Of(max, tuple(scattered("opt", size) for size in SIZES)))
    for form in ("opt", "default"):
        yield Row("T42", f"{form}, 32 KB", "prediction", scattered(form, 32768))
        yield Row("T42", f"{form}, 128 B", "prediction", scattered(form, 128))


def efficiency_rows(scale):
    for number, app in (("T43", "fn"), ("T44", "gf"), ("T45", "km")):
        yield Row(number, "opt", "prediction", efficiency(scale, app, "opt", scale.most))
        yield Row(number, "default", "design", efficiency(scale, app, "default", scale.most),
                  "long messages go in one transfer by DMA, and no name is looked up; the programs "
                  "in their own form, not the published one")


def gain_rows(scale):
    few, most = scale.ranks[0], scale.most
    yield Row("T46", "best over ranks", "prediction", over_ranks(max, scale, "gf", "opt", "unopt"))
    yield Row("T46", "mean over ranks", "prediction",
              over_ranks(statistics.fmean, scale, "gf", "opt", "unopt"))
    yield Row("T46", "fewest ranks / most ranks", "prediction",
              Of(divided, (gain(scale, "gf", few, "opt", "unopt"),
                           gain(scale, "gf", most, "opt", "unopt"))))
    yield Row("T46", "fewest ranks, no computation", "prediction",
              gain(scale, "gf", few, "opt", "unopt", ALONE))
    yield Row("T47", "fewest ranks", "prediction", gain(scale, "km", few, "opt", "unopt"))
    yield Row("T47", "most ranks", "prediction", gain(scale, "km", most, "opt", "unopt"))
    yield Row("T47", "fewest ranks, no computation", "prediction",
              gain(scale, "km", few, "opt", "unopt", ALONE))


def ipc_rows(scale):
    for number, app in (("T48", "gf"), ("T49", "km")):
        for name, function in (("least", min), ("best", max), ("mean", statistics.fmean)):
            yield Row(number, f"{name} over ranks", "prediction",
                      over_ranks(function, scale, app, "opt", "IPC"))
        yield Row(number, "most ranks, IPC / default", "design",
                  gain(scale, app, scale.most, "default", "own IPC"),
                  "long messages go in one transfer by DMA, and no name is looked up; both in the "
                  "program's own form")
    yield Row("T49", "fewest ranks, no computation", "prediction",
              gain(scale, "km", scale.ranks[0], "opt", "IPC", ALONE))
    for name, ranks in (("fewest", scale.ranks[0]), ("most", scale.most)):
        for form in ("unopt", "IPC"):
            yield Row("T50", f"{form} / opt, {name} ranks", "prediction",
                      gain(scale, "fn", ranks, "opt", form))


def power_rows(scale):
    opt, ipc = (run(scale, "km", scale.most, form) for form in ("opt", "IPC"))
    chosen = ("power.core_busy_uw, power.core_idle_uw, power.cluster_uw and power.machine_uw of "
              "the machine file were chosen for 8 to 8.5 W of KM")
    yield Row("T51", "power, opt, W", "fit", (opt, "power"), chosen)
    yield Row("T51", "power, IPC, W", "fit", (ipc, "power"), chosen)
    yield Row("T51", "power, opt / IPC", "prediction", (opt, "power", ipc, "power"))
    yield Row("T51", "IPC / opt, energy / time", "prediction",
              Of(divided, ((ipc, "energy", opt, "energy"), (ipc, "time", opt, "time"))))


def rows(scale):
    yield from portal_rows()
    yield from a2a_rows()
    yield from efficiency_rows(scale)
    yield from gain_rows(scale)
    yield from ipc_rows(scale)
    yield from power_rows(scale)


NOTES = {
    "T20": "the source does not say what its throughput is. Of all threads together it rises here; "
           "as its published benchmarks count, bytes of a port by the time that its operations "
           "take, it falls on the side of the compute cluster, whose threads are more",
    "T42": "by default compact is the slower one for long messages: a copy inside a cluster takes "
           "a core 1.28 cycles for a byte, the DMA engine between clusters 0.25",
    "T43": "what the published program loses is its rank 0, which compares all pairs of numbers; "
           "prices of a subtraction, a call and a pair are assumed. The default finds the same "
           "sets by a table",
    "T44": "opt: the global master deals out every image by itself, in transfers of 4096 B of "
           "which each waits for its grant. The default sends an image in one transfer by DMA",
    "T46": "what is gained is communication, and what a worker computes hides it. What that takes "
           "is an assumption (--cycles); the source names no time of a multiply-add",
    "T48": "a message of IPC is a mail and one transfer that the kernel copies once, in a cluster, "
           "too. A message of opt looks up the receiver's name, which IPC does once for all. The "
           "published IPC, which serves one request at a time under a lock, is not modelled",
    "T51": "energy and power are of the whole job, start included, and time is the application's. "
           "Who waits idles here; the lines of the ancestor let it wait busily",
}

NOT_DONE = {}


def by_ranks(scale, app, value):
    """The paper's protocols, those of this MPI with the programs' own form, and the paper's once
    more on the ancestor's mechanisms."""
    curves = {form if form not in OWN else f"{form}, own form":
              [value(scale, app, form, ranks) for ranks in scale.ranks] for form in FORMS}
    for form in ("opt", "IPC"):
        curves[f"{form}, ancestor"] = [of_ancestor(each) for each in curves[form]]
    return curves


def of_run(quantity):
    return lambda scale, app, form, ranks: (run(scale, app, ranks, form), quantity)


def charts(scale):
    yield Lines("multiplex", "uller-2020, figure 2: one portal, messages of 1 KB",
                "threads on the compute cluster", "MB/s",
                {"3 threads on the I/O cluster": (MULTIPLEX, THREADS),
                 "the same, ancestor": of_ancestor((MULTIPLEX, THREADS))})
    steps = {f"{mapping}, {form}": (a2a(mapping, form), "superstep of {} B")
             for form in ("opt", "default") for mapping in ("compact", "scatter")}
    steps |= {f"{name}, ancestor": of_ancestor(where)
              for name, where in list(steps.items()) if name.endswith("opt")}
    yield Lines("a2a", "uller-2021, figure 18: A2A", "bytes", "us of a superstep", steps, log="xy")
    for figure, app, published, target in (("19", "fn", 0.77, "T43"), ("20", "gf", 0.52, "T44"),
                                           ("21", "km", 0.57, "T45")):
        name = f"uller-2021, figure {figure}"
        yield Lines(app, f"{name}a: {app.upper()}, weak scaling", "ranks", "s",
                    by_ranks(scale, app, of_run("time")), log="x")
        yield Lines(f"{app}-efficiency", f"{name}b: {app.upper()}, weak scaling", "ranks",
                    "efficiency", by_ranks(scale, app, efficiency), {"opt": [(192, published)]},
                    "x", (target,))
    yield Lines("km-power", "uller-2021, figure 22: KM", "ranks", "W",
                by_ranks(scale, "km", of_run("power")),
                {"opt": [(192, 8.5)], "IPC": [(192, 8)]}, "x", ("T51",))
    for app in SMALL:
        yield Lines(f"{app}-energy", f"uller-2021, figure 23: {app.upper()}", "ranks", "J",
                    by_ranks(scale, app, of_run("energy")), log="x")

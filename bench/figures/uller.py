# SPDX-License-Identifier: MIT
"""uller-2021, chapter 7: MPI on the modelled MPPA-256 and its applications, on the protocols of the
paper (opt, unopt), without MPI (IPC), and on the protocols of this MPI (default).

FN and KM have the parameters of table 5; GF has 24 images for each cluster, not 1200: a fiftieth
of the time, the same ratios."""

RANKS = (12, 24, 48, 96, 192)
FORMS = {"opt": "LWMPI_PROTOCOLS=paper-opt ", "unopt": "LWMPI_PROTOCOLS=paper-unopt ", "IPC": "",
         "default": ""}
ALONE = " --cycles 0"  # communication alone: what a worker computes takes no time
PARAMETERS = {"fn": "", "gf": " --images {}", "km": ""}


def run(app, ranks, form, more=""):
    name = app + "_ipc.sim" if form == "IPC" else app
    return f"{FORMS[form]}mpi {ranks} -- {name}{PARAMETERS[app].format(2 * ranks)}{more}"


def a2a(mapping, form):
    return f"{FORMS[form]}mpi 12 --map {mapping} -- a2a"


def gain(app, ranks, better, than, more=""):
    """How much longer the form `than` takes."""
    return run(app, ranks, than, more), "time", run(app, ranks, better, more), "time"


def efficiency(app, form, ranks=192):
    """Of weak scaling: the problem grows with the ranks, the time should not."""
    return run(app, RANKS[0], form), "time", run(app, ranks, form), "time"


def efficiencies(number, app, paper):
    return ((number, f"{app.upper()}, 192 ranks, weak scaling: efficiency, opt", f"{paper} %",
             efficiency(app, "opt"), f"{(paper - 5) / 100}..{(paper + 5) / 100}"),
            (number, "the same, default", f"{paper} %", efficiency(app, "default"),
             f">= {paper / 100}"))


def even(number, mapping, paper, goals):
    """A2A: how far the shortest and the longest superstep are from each other."""
    for form in ("opt", "default"):
        for sizes, goal in goals if form == "opt" else ((size, "") for size, _ in goals):
            yield (number, f"A2A, 12 ranks, {mapping}, {form}: {sizes}", paper,
                   (a2a(mapping, form), sizes), goal)


ALL, SHORT, KNEE = ("longest / shortest superstep", "the same up to 4096 B",
                    "superstep of 32768 B / of 4096 B")

ROWS = (
    *even("T40", "compact", "constant", ((ALL, "<= 1.3"),)),
    *even("T41", "scatter", "knee at 4096", ((SHORT, "<= 1.3"), (KNEE, ">= 2"))),
    ("T42", "A2A, 12 ranks, opt: scatter / compact, 32 KB", "best 2.8",
     (a2a("scatter", "opt"), "superstep of 32768 B", a2a("compact", "opt"),
      "superstep of 32768 B"), ">= 1"),
    ("T42", "the same, 128 B", "",
     (a2a("scatter", "opt"), "superstep of 128 B", a2a("compact", "opt"), "superstep of 128 B"),
     ">= 1"),
    *efficiencies("T43", "fn", 77),
    *efficiencies("T44", "gf", 52),
    *efficiencies("T45", "km", 57),
    ("T46", "GF, 12 ranks, time, unopt / opt", "3.2 at most", gain("gf", 12, "opt", "unopt"),
     ">= 1.05"),
    ("T46", "the same, 192 ranks", "falling", gain("gf", 192, "opt", "unopt"), ">= 1"),
    ("T46", "GF, 12 ranks, no computation, unopt / opt", "3.2 at most",
     gain("gf", 12, "opt", "unopt", ALONE), ""),
    ("T47", "KM, 12 ranks, time, unopt / opt", "2", gain("km", 12, "opt", "unopt"), ">= 1.05"),
    ("T47", "the same, 192 ranks", "1.4", gain("km", 192, "opt", "unopt"), ">= 1"),
    ("T47", "KM, 12 ranks, no computation, unopt / opt", "2",
     gain("km", 12, "opt", "unopt", ALONE), ""),
    ("T48", "GF, 12 ranks, time, IPC / opt", "2.4 to 4", gain("gf", 12, "opt", "IPC"), ">= 1"),
    ("T48", "the same, 192 ranks", "2.4 to 4", gain("gf", 192, "opt", "IPC"), ">= 1"),
    ("T48", "the same, IPC / default", "", gain("gf", 192, "default", "IPC"), ">= 1"),
    ("T49", "KM, 12 ranks, time, IPC / opt", "1.7 to 2.1", gain("km", 12, "opt", "IPC"), ">= 1"),
    ("T49", "the same, 192 ranks", "1.7 to 2.1", gain("km", 192, "opt", "IPC"), ">= 1"),
    ("T49", "the same, IPC / default", "", gain("km", 192, "default", "IPC"), ">= 1"),
    ("T49", "KM, 12 ranks, no computation, IPC / opt", "1.7 to 2.1",
     gain("km", 12, "opt", "IPC", ALONE), ""),
    ("T50", "FN, 12 ranks, time, unopt / opt", "1", gain("fn", 12, "opt", "unopt"), "0.97..1.03"),
    ("T50", "the same, IPC / opt", "1", gain("fn", 12, "opt", "IPC"), "0.97..1.03"),
    ("T50", "FN, 192 ranks, time, unopt / opt", "1", gain("fn", 192, "opt", "unopt"),
     "0.97..1.03"),
    ("T50", "the same, IPC / opt", "1", gain("fn", 192, "opt", "IPC"), "0.97..1.03"),
    ("T51", "KM, 192 ranks, power, opt, W", "8.5", (run("km", 192, "opt"), "power"), "7.2..9.8"),
    ("T51", "the same, IPC", "8", (run("km", 192, "IPC"), "power"), "6.8..9.2"),
)

NOTES = {
    "T40": "the default protocol copies once and does no more, so a superstep of small messages "
           "is short and the copy shows; the paper's looks up a name for each message",
    "T44": "opt: the global master deals out every image by itself, in transfers of 4096 B of "
           "which each waits for its grant. The default sends an image in one transfer by DMA",
    "T46": "what is gained is communication, and what a worker computes hides it. What that takes "
           "is an assumption (--cycles); the source names no time of a multiply-add",
    "T48": "not reproduced: a message of IPC is a mail and one transfer that the kernel copies "
           "once, in a cluster, too. A message of opt looks up the receiver's name, which IPC does "
           "once for all. The published IPC must cost more than twice a message of opt",
    "T51": "of the whole job, start included",
}


def by_ranks(app, value):
    return {form: {ranks: value(app, ranks, form) for ranks in RANKS} for form in FORMS}


LINES = (
    ("a2a", "uller-2021, figure 18: A2A, 12 ranks", "bytes", "us of a superstep",
     {f"{mapping}, {form}": (a2a(mapping, form), "superstep of {} B")
      for form in ("opt", "default") for mapping in ("compact", "scatter")}),
    *((app, f"uller-2021, figure {figure}: {app.upper()}, weak scaling", "ranks", "s",
       by_ranks(app, lambda app, ranks, form: (run(app, ranks, form), "time")))
      for figure, app in (("19", "fn"), ("20", "gf"), ("21", "km"))),
    ("km-power", "uller-2021, figure 22: KM", "ranks", "W",
     by_ranks("km", lambda app, ranks, form: (run(app, ranks, form), "power"))),
    *((f"{app}-energy", f"uller-2021, figure 23: {app.upper()}", "ranks", "J",
       by_ranks(app, lambda app, ranks, form: (run(app, ranks, form), "energy")))
      for app in PARAMETERS),
)

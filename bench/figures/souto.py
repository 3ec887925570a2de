# SPDX-License-Identifier: MIT
"""souto-2022, chapter 6: tasks and threads on the modelled MPPA-256, in three variants of the
system, by its own programs and by the applications of uller-2021."""
import uller
from experiment import BARE, At, Bars, Lines, Of, Row, ratio

SPAWN, CALLS, FOOTPRINT = "task_spawn.sim each", "task_calls.sim each", "footprint"
VARIANTS = ("baseline", "partial", "full")
BASELINE, PARTIAL, FULL = VARIANTS
BEAT, SIZE, PAGES = "task_heartbeat.sim", "kernel_size.sim", "task_pages.sim each"
PACED = PAGES + " paper"
FLOWS, CALLERS = range(1, 22), range(1, 16)
INVALIDATION = "mppa256: Pginval: 16 processes: "
FETCH = "mppa256: Pgfetch: {} processes: "


def of(variant, program):
    return f"LWMPI_VARIANT={variant} {program}"


def ancestor(program):
    return f"LWMPI_MODEL=ancestor {program}"


def between(first, second, program, quantity):
    """A quantity in one variant, divided by that in another."""
    return ratio(of(first, program), of(second, program), quantity)


def flow_rows():
    price = "cost.thread_create of the machine file was chosen by this source"
    spawn = "mppa256: {} flows: spawn thread / task"
    yield Row("T60", "tasks / threads", "design", (SPAWN, "mppa256: flows per MB task / thread"),
              "a task takes 128 B here as there; a thread's slot is counted with its stacks")
    for text, flows in (("1 flow", 1), ("21 flows", 21)):
        yield Row("T61", text, "fit", (SPAWN, spawn.format(flows)), price)
    search = "cost.thread_search of the machine file was chosen by this source"
    yield Row("T61", "1 flow, ancestor", "prediction", (ancestor(SPAWN), spawn.format(1)))
    yield Row("T61", "21 flows, ancestor", "fit", (ancestor(SPAWN), spawn.format(21)), search)
    yield Row("T62", "most of 1 to 21 flows", "prediction",
              Of(max, tuple((SPAWN, f"mppa256: {n} flows: join thread / task") for n in FLOWS)))
    yield Row("T62", "1 flow", "prediction", (SPAWN, "mppa256: 1 flows: join thread / task"))
    yield Row("T62", "most of 1 to 21 flows, ancestor", "prediction",
              Of(max, tuple((ancestor(SPAWN), f"mppa256: {n} flows: join thread / task")
                            for n in FLOWS)))
    energy = "mppa256: 21 flows: energy thread / task"
    yield Row("T63", "threads / tasks", "prediction", (SPAWN, energy))
    yield Row("T63", "threads / tasks, ancestor", "prediction", (ancestor(SPAWN), energy))


def bare_rows():
    """The same in instructions of the hart that starts and waits; memory in bytes, a response in
    steps in which each hart that runs executes one instruction."""
    bare, flows, threads = f"{BARE} baseline", "riscv: baseline: {} flows: ", "riscv: baseline: "
    start = flows + "start of a thread / dispatch of a task"
    join = flows + "join of a thread / wait for a task"
    memory = threads + "memory of a thread {} / memory of a task"
    beside = threads + "{} threads: response with the Dispatcher / response of threads only"
    call = threads + "kernel call that the master core answers"
    task = "kernel call of a task on the master core"
    yield Row("T60", "tasks / threads on bare metal", "design",
              (bare, memory.format("in user mode")),
              "a thread of user mode with a page of stack has a page of guard, one of variables "
              "and half a page in the kernel")
    yield Row("T60", "on bare metal, threads of the kernel, which have one page", "design",
              (bare, memory.format("of the kernel")), "one page is stack and guard")
    for text, n in (("1 flow", 1), ("21 flows", 21)):
        yield Row("T61", f"{text} on bare metal", "prediction", (bare, start.format(n)))
    yield Row("T62", "most of 1 to 21 flows on bare metal", "prediction",
              Of(max, tuple((bare, join.format(n)) for n in FLOWS)))
    yield Row("T63", "threads / tasks on bare metal", "prediction",
              (bare, flows.format(21) + "threads on all harts / tasks on all harts"))
    yield Row("T64", "of a thread / of a task on bare metal", "prediction",
              (bare, threads + "1 threads: response of threads only", bare, threads + task))
    yield Row("T64", "on bare metal, what the calling hart executes", "prediction",
              (bare, f"{call} / {task}"))
    yield Row("T65", "most of 1 to 15 threads on bare metal", "prediction",
              Of(max, tuple((bare, beside.format(n)) for n in CALLERS)))
    yield Row("T65", "most of 2 to 15 threads on bare metal", "prediction",
              Of(max, tuple((bare, beside.format(n)) for n in CALLERS[1:])))


def call_rows():
    yield Row("T64", "of a thread / of a task", "fit",
              (CALLS, "mppa256: master call thread / task"),
              "cost.kernel_call, cost.ipi and cost.wakeup of the machine file were chosen for it")
    yield Row("T65", "most of 1 to 15 threads", "prediction",
              Of(max, tuple((CALLS, f"mppa256: {n} threads: with the Dispatcher / threads only")
                            for n in CALLERS)))


def page_rows():
    fetched, energy = FETCH.format(16) + "page fetched", FETCH.format(16) + "energy of one"
    ahead = ("a fetch is one message and one transfer, for the grant goes ahead of the request; "
             "the published protocol has three messages")
    for variant in (PARTIAL, FULL):
        yield Row("T66", f"baseline / {variant}", "prediction",
                  between(BASELINE, variant, PAGES, INVALIDATION + "invalidation"))
        yield Row("T66", f"energy, baseline / {variant}", "prediction",
                  between(BASELINE, variant, PAGES, INVALIDATION + "energy of one"))
    yield Row("T67", "time, the paper's protocol", "prediction",
              between(FULL, BASELINE, PACED, fetched))
    yield Row("T67", "energy, the paper's protocol", "prediction",
              between(FULL, BASELINE, PACED, energy))
    yield Row("T67", "time, default", "design", between(FULL, BASELINE, PAGES, fetched), ahead)
    yield Row("T67", "energy, default", "design", between(FULL, BASELINE, PAGES, energy), ahead)
    yield Row("T67", "time, default, 1 process", "design",
              between(FULL, BASELINE, PAGES, FETCH.format(1) + "page fetched"), ahead)
    yield Row("T67", "time, the paper's protocol / default, both in full", "design",
              (of(FULL, PACED), fetched, of(FULL, PAGES), fetched), ahead)


def application_rows(scale):
    most, fewer = scale.most, scale.ranks[-2]
    copies = "reader's and writer's threads copy in every variant, never the master core"
    for variant in (PARTIAL, FULL):
        for form, role, why in (("opt", "prediction", ""), ("default", "design", copies)):
            yield Row("T68", f"{variant} / baseline, {form}", role,
                      between(variant, BASELINE, uller.run(scale, "gf", most, form), "time"), why)
    for variant in (BASELINE, PARTIAL):
        yield Row("T69", f"{variant} / full, opt, not most ranks", "prediction",
                  between(variant, FULL, uller.run(scale, "km", fewer, "opt"), "time"))
    yield Row("T69", "baseline / full, default", "design",
              between(BASELINE, FULL, uller.run(scale, "km", most, "default"), "time"), copies)
    yield Row("T70", "full / baseline, default", "prediction",
              between(FULL, BASELINE, uller.run(scale, "fn", most, "default"), "time"))


def system_rows():
    idle = "mppa256: cores without a thread of the system"
    core = "all 16 cores are for programs, the kernel has a core of its own"
    yield Row("T71", "full / baseline", "prediction",
              (FOOTPRINT, "kernel, full", FOOTPRINT, "kernel, baseline"))
    yield Row("T71", "kernel, services and MPI, of 2 MB, bytes", "prediction",
              Of(sum, tuple((FOOTPRINT, part) for part in ("kernel, full", "services", "MPI"))))
    yield Row("T71", "pools of the kernel in a cluster, full / baseline", "prediction",
              between(FULL, BASELINE, SIZE, "mppa256: struct cluster with its pools"))
    yield Row("T72", "full", "design", (of(FULL, BEAT), idle), core)
    yield Row("T72", "baseline, which has one daemon (published: 12)", "design",
              (of(BASELINE, BEAT), idle), core)
    yield Row("", "heartbeat, cycles of all cores, full / baseline", "prediction",
              between(FULL, BASELINE, BEAT, "mppa256: heartbeat: energy above idle"))


def rows(scale):
    yield from flow_rows()
    if scale.bare:
        yield from bare_rows()
    yield from call_rows()
    yield from page_rows()
    yield from application_rows(scale)
    yield from system_rows()


NOTES = {
    "T61": "a thread's creation has one price in the machine file, so the ratio does not grow with "
           "the flows; the thread manager of the ancestor (its published sources) has one lock for "
           "all cores and a table that is searched, so its price grows: LWMPI_MODEL=ancestor. "
           "On bare metal counted: this kernel's start of a thread takes as many instructions with "
           "21 flows as with 1",
    "T62": "a join finds an ended thread by its id under a lock that only starts and ends of "
           "threads take, so it costs one kernel call, like the wait for a task; with 1 flow the "
           "task has not run yet when it is waited for, the thread has",
    "T63": "follows from the price of a thread's creation, as T61. QEMU knows no energy: on bare "
           "metal the instructions that all harts execute stand for it. Left out is what a hart "
           "takes while it sleeps, what memory, network and clusters take, that instructions "
           "differ, and that fewer of them also end sooner",
    "T64": "on bare metal counted: a task's call is one of a function in the kernel, 191 "
           "instructions without a trap or a wait; a thread's are its own, those of the master "
           "core, and how both sleep and wake each other",
    "T65": "on bare metal one thread alone waits for the run of the task that is under way, and "
           "nothing hides that; beside 2 threads or more the master core is busy with calls, of "
           "which the task's is one",
    "T67": "the published loss is that of copies made on the master core; here the data lands in "
           "the page's frame and nobody copies it, in the paper's protocol, too",
    "T68": "the time is that of the work, without the start. The published loss is that copies "
           "moved to the master core; here the Dispatcher only says that they may be made",
    "T71": "compiled for the computer that builds, MPI for size; code and constants",
}

NOT_DONE = {}
WITHOUT_BARE = {(row.id, row.part): "there is no QEMU, or no compiler, for bare metal "
                                    "(docs/riscv.md)" for row in bare_rows()}


def curves(program, **patterns):
    return {label.replace("_", " "): (program, pattern) for label, pattern in patterns.items()}


def per_variant(pattern):
    return {variant: (of(variant, PAGES), pattern) for variant in VARIANTS}


def flow_charts():
    yield Lines("spawn", "souto-2022, figure 14a: fork / dispatch", "flows", "cycles per flow",
                curves(SPAWN, thread="mppa256: {} flows: spawn of a thread",
                       task="mppa256: {} flows: spawn of a task"))
    yield Lines("spawn-ratio", "souto-2022, figure 14a: fork / dispatch", "flows",
                "thread / task",
                {"ratio": (SPAWN, "mppa256: {} flows: spawn thread / task"),
                 "ratio, ancestor": (ancestor(SPAWN), "mppa256: {} flows: spawn thread / task")},
                {"ratio": [(1, 2), (21, 15.3)]}, targets=("T61",))
    yield Lines("join", "souto-2022, figure 14a: join / wait", "flows", "cycles per flow",
                curves(SPAWN, thread="mppa256: {} flows: join of a thread",
                       task="mppa256: {} flows: join of a task"))
    yield Lines("energy", "souto-2022, figure 14b: energy of the flows", "flows", "J",
                curves(SPAWN, threads="mppa256: {} flows: energy of a thread",
                       tasks="mppa256: {} flows: energy of a task"))
    yield Lines("calls", "souto-2022, figure 15b: response to remote kernel calls", "threads",
                "cycles",
                curves(CALLS, Threads_only="mppa256: {} threads: response of threads only",
                       Threads_beside_the_Dispatcher="mppa256: {} threads: response with the "
                                                     "Dispatcher",
                       Dispatcher_beside_threads="mppa256: {} threads: response of the "
                                                 "Dispatcher"))


RESERVED = (8, 16, 64, 256, 1024, 2048)  # KB, table 5
STACK = 8  # KB: the one that all tasks share


def fit_into(kb, flows, shared):
    """Flows that fit into so much memory, of what is known of one MB."""
    return Of(lambda per_mb: max(1, int(per_mb[0] * (kb - shared) / 1024)), ((SPAWN, flows),))


def memory_charts():
    threads, tasks = (1, 2, 8, 32, 128, 256), (1, 64, 448, 1984, 8128, 16320)
    yield Lines("flows", "souto-2022, table 5: flows in reserved memory", "KB", "flows",
                {"threads": [At(kb, fit_into(kb, "mppa256: threads per MB", 0)) for kb in RESERVED],
                 "tasks": [At(kb, fit_into(kb, "mppa256: tasks per MB", STACK))
                           for kb in RESERVED]},
                {"threads": list(zip(RESERVED, threads)), "tasks": list(zip(RESERVED, tasks))},
                "xy", ("T60",))
    for name, quantity in (("threads", "pages of 4 KB in a cluster"),
                           ("threads-beside", "stacks beside the kernel")):
        yield Bars(name, f"souto-2022, table 1: threads of a cluster: {quantity}", "threads",
                   {machine: {"threads": (SIZE, f"{machine}: {quantity}")}
                    for machine in ("pulp", "coreva", "sw26010", "mppa256")})


def page_charts():
    for name, per in (("Pginval", "an invalidation"), ("Pgfetch", "a page")):
        quantity = "invalidation" if name == "Pginval" else "page fetched"
        before = f"mppa256: {name}: {{}} processes: "
        yield Lines(name.lower(), f"souto-2022, figure 17: {name}", "processes",
                    f"cycles of {per}", per_variant(before + quantity))
        yield Lines(f"{name.lower()}-energy", f"souto-2022, figure 17: {name}", "processes",
                    f"J of {per}", per_variant(before + "energy of one"))


def footprint_of(variant):
    kernel = "kernel, baseline" if variant == BASELINE else "kernel, full"
    return {"code of the kernel": (FOOTPRINT, kernel),
            "code of the services": (FOOTPRINT, "services"),
            "pools of the kernel": (of(variant, SIZE), "mppa256: struct cluster with its pools"),
            "a daemon": (of(variant, BEAT), "mppa256: memory of the name daemon")}


def by_ranks(scale, app, value, ranks=None):
    """{variant: values}, on the protocols of uller-2021."""
    return {variant: [value(variant, uller.run(scale, app, n, "opt"))
                      for n in ranks or scale.ranks] for variant in VARIANTS}


def application_charts(scale):
    fewest = scale.ranks[0]
    of_run = {quantity: lambda variant, program, quantity=quantity: (of(variant, program), quantity)
              for quantity in ("time", "energy", "power")}
    for app in ("fn", "gf", "km"):
        name, first = app.upper(), uller.run(scale, app, fewest, "opt")
        yield Lines(f"{app}-variants", f"souto-2022, figure 18: {name}, weak scaling, opt",
                    "ranks", "s", by_ranks(scale, app, of_run["time"]), log="x")
        yield Lines(f"{app}-variants-efficiency",
                    f"souto-2022, figure 18: {name}, weak scaling, opt", "ranks", "efficiency",
                    by_ranks(scale, app, lambda variant, program, first=first:
                             ratio(of(variant, first), of(variant, program), "time")), log="x")
        yield Lines(f"{app}-variants-energy", f"souto-2022, figure 19: {name}, opt", "ranks", "J",
                    by_ranks(scale, app, of_run["energy"]), log="x")
    yield Lines("km-variants-power", "souto-2022, figure 20: KM, opt", "ranks", "W",
                by_ranks(scale, "km", of_run["power"], (fewest, 4 * fewest, scale.most)), log="x")


def bar_charts(scale):
    yield Bars("remote-call", "souto-2022, figure 15a: response to a remote kernel call", "cycles",
               {flow: {"response": (CALLS, f"mppa256: master call of a {flow}")}
                for flow in ("thread", "task")})
    yield Bars("heartbeat", "souto-2022, figure 16: one heartbeat, cycles of each core", "cycles",
               {variant: {part: (of(variant, BEAT), f"mppa256: heartbeat: {quantity}")
                          for part, quantity in
                          (("core of the caller", "core of the caller"),
                           ("master core: kernel, Dispatcher", "master core"),
                           ("other cores: daemon", "other cores"))}
                for variant in VARIANTS})
    yield Bars("footprint", "souto-2022, figure 13: the system in 2 MB of a cluster", "bytes",
               {variant: footprint_of(variant) for variant in VARIANTS}, 2 << 20)
    yield Bars("applications", "souto-2022, figure 18: GF and KM, default",
               "s",
               {f"{app.upper()} {variant}":
                {"time": (of(variant, uller.run(scale, app, scale.most, "default")), "time")}
                for app in ("gf", "km") for variant in VARIANTS})


def charts(scale):
    yield from flow_charts()
    yield from memory_charts()
    yield from page_charts()
    yield from application_charts(scale)
    yield from bar_charts(scale)

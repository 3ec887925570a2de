# SPDX-License-Identifier: MIT
"""What ran, as the runs themselves tell it, and the labels made of that."""
import re
from typing import NamedTuple

import experiment


class Ran(NamedTuple):
    machine: str    # "" where nothing of a machine was run
    network: str    # model of the data NoC, "" where no network is modelled
    ranks: int      # of MPI, else 0
    mapping: str    # of ranks to clusters, else ""
    problem: str    # what the program says that it works on
    computation: str    # how it takes time (docs/compute.md), "" where nothing runs
    seeds: tuple


def runs(found, values):
    """[(program, Ran)] of what these values are made of."""
    programs = dict.fromkeys(program for value in values
                             for program in experiment.programs_of(value))
    return [(program, found[program].ran) for program in programs if program in found]


def ranks(found, values):
    """Numbers of ranks, in their order."""
    return sorted({ran.ranks for _, ran in runs(found, values) if ran.ranks})


def name(program):
    """Of a program without MPI."""
    return re.sub(r"^([A-Z_]+=\S+ )*", "", program).split()[0].replace(".sim", "")


def protocol(program):
    """Of messages, of the line of a program with MPI."""
    if "_ipc" in program:
        return "IPC, no MPI"
    named = re.search(r"LWMPI_PROTOCOLS=(\S+)", program)
    if named:
        return named.group(1)
    return "limits set for each curve" if re.search(r"LWMPI_\w+_LIMIT=", program) else "default"


def seeds_of(ran):
    """The seeds of several runs: "seed 1", "seeds 1 or 1 to 30"."""
    spans = sorted({(each.seeds[0], each.seeds[-1]) for each in ran})
    words = [str(first) if first == last else f"{first} to {last}" for first, last in spans]
    return f"seed{'s' * (words != ['1'])} " + " or ".join(words)


def on(found, value):
    """A few words for a cell of a table: the ranks, or the benchmark."""
    many = ranks(found, [value])
    if many:
        return ", ".join(map(str, many)) + " ranks" + (
            ", small" if experiment.is_short(value) else "")
    return ", ".join(sorted({name(program) for program, _ in runs(found, [value])}))


def problems(found, value):
    return "; ".join(dict.fromkeys(ran.problem for _, ran in runs(found, [value]) if ran.problem))


def computation(found, values):
    """How computation takes time in all that these values are made of."""
    return ", ".join(sorted({ran.computation for _, ran in runs(found, values)} - {""}))


def made_with(rows, targets):
    """What of these targets shows nothing when it agrees, as the roles of their rows have it."""
    for role, words in experiment.MADE_WITH.items():
        ids = sorted({row.id for row in rows if row.id in targets and row.role == role})
        if ids:
            yield f"{words}: published {', '.join(ids)}"


def caption(found, values, more=()):
    """A sentence under a chart: machine, network model, computation, ranks, protocols, variants,
    seeds, and what more there is to say."""
    all_runs = runs(found, values)
    machines = {ran.machine + f", network model {ran.network}" * (ran.network != "")
                for _, ran in all_runs if ran.machine}
    with_mpi = [(program, ran) for program, ran in all_runs if ran.ranks]
    parts = sorted(machines) or ["object files of this build"]
    if computation(found, values):
        parts.append(f"computation: {computation(found, values)}")
    if with_mpi:
        parts.append(", ".join(map(str, ranks(found, values))) + " ranks, " +
                     " and ".join(sorted({ran.mapping for _, ran in with_mpi})))
        parts.append("protocols: " + ", ".join(sorted({protocol(p) for p, _ in with_mpi})))
    others = sorted({name(program) for program, ran in all_runs if not ran.ranks})
    if others:
        parts.append("without MPI: " + ", ".join(others))
    models = [model for program, _ in all_runs
              for model in re.findall(r"LWMPI_MODEL=(\S+)", program)]
    if models:
        parts.append("where it is said: " + " or ".join(dict.fromkeys(models)))
    settings = [found for program, _ in all_runs for found in re.findall(r"--set (\S+)", program)]
    if settings:
        parts.append("with " + " or ".join(dict.fromkeys(settings)))
    variants = [found for program, _ in all_runs
                for found in re.findall(r"LWMPI_VARIANT=(\S+)", program)]
    if variants:
        parts.append("variants: " + ", ".join(dict.fromkeys(variants)))
    parts.append(seeds_of([ran for _, ran in all_runs]))
    if any(len(ran.seeds) > 1 for _, ran in all_runs):
        parts.append("bars: 95 % confidence")
    if any(experiment.is_short(value) for value in values):
        parts.append("small problems, fewer ranks than published")
    return "; ".join([*parts, *more])

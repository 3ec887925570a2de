# SPDX-License-Identifier: MIT
"""The libraries that are compared: where each comes from, how it is run, and with what settings."""
import collections
import os
import shutil
import subprocess
import sys
import venv

from job import START

# packages: from PyPI, with their mpicc and mpiexec; None: built here.
# environment: always set. crowded: added when there are more ranks than processors.
# heeds: how the names of all variables begin that the library heeds.
# Why each setting is there stands in bench/peers/README.md.
Recipe = collections.namedtuple("Recipe", "packages environment crowded options crowded_options "
                                "heeds")
RECIPES = {
    "lwmpi": Recipe(None, {}, {}, [], [], ("LWMPI_",)),
    "mpich": Recipe(["mpich"], {}, {"MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
                                    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "0"},
                    [], [], ("MPIR_CVAR_", "MPICH_", "HYDRA_", "UCX_", "FI_")),
    "openmpi": Recipe(["openmpi"], {"OMPI_ALLOW_RUN_AS_ROOT": "1",
                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}, {},
                      ["--use-hwthread-cpus"], ["--map-by", ":OVERSUBSCRIBE"],
                      ("OMPI_", "PRTE_", "PMIX_", "UCX_", "FI_")),
    "impi": Recipe(["impi-rt", "impi-devel"], {"I_MPI_FABRICS": "shm"}, {}, [], [],
                   ("I_MPI_", "HYDRA_", "FI_")),
}
OURS = "lwmpi"
# What a program computes takes as long with each library: where a loop begins in a cache line would
# else depend on what the library adds to the program, and is worth half its time.
ALIGNED = ["-falign-functions=64", "-falign-loops=64"]
SOURCES = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(SOURCES, "programs")


class Missing(Exception):
    """A library cannot be had; the text says why and what would help."""


def run(command, why, **options):
    """What a command prints; raises Missing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Missing(f"{why}: {problem}") from None
    if done.returncode:
        text = (done.stderr or done.stdout).strip()
        raise Missing(f"{why}: {' '.join(command[:4])}: {text[-400:]}")
    return done.stdout


def install(name, folder):
    """Puts the packages of a library into a Python environment of its own, once."""
    done = os.path.join(folder, "installed")
    if os.path.exists(done):
        return
    print(f"peers: installing {name} into {folder}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise Missing(f"python3 -m venv {folder}: {problem}; "
                      "Debian's package for it is python3-venv") from None
    # What they depend on are drivers of networks; within one computer none is needed.
    run([os.path.join(folder, "bin/pip"), "install", "-q", "--no-deps", *RECIPES[name].packages],
        "not installed and not to be had from PyPI")
    with open(done, "w", encoding="utf-8"):
        pass


class Library:
    """One library and the program of this folder, built with it."""

    def __init__(self, name, folder, built):
        """Raises Missing. folder: where bin/mpicc and bin/mpiexec are; built: for the program."""
        self.name, self.folder, self.recipe = name, os.path.abspath(folder), RECIPES[name]
        self.program = os.path.join(built, f"peers-{name}")
        sources = sorted(os.path.join(folder, file) for folder in (SOURCES, PROGRAMS)
                         for file in os.listdir(folder) if file.endswith(".c"))
        run([os.path.join(self.folder, "bin/mpicc"), "-O2", *ALIGNED, *sources, "-o", self.program,
             "-lm"],
            f"{self.folder}: cannot compile", env=self.environment(1))
        # By its own words, of which the first line has it, and before a comma what matters.
        said = run([*self.command(1, 1), "version"], f"{self.folder}: cannot run a program",
                   env=self.environment(1), stdin=subprocess.DEVNULL, timeout=START)
        self.version = " ".join(said.partition("\n")[0].partition(",")[0].split())

    def environment(self, ranks):
        made = {**os.environ, **self.recipe.environment, "I_MPI_ROOT": self.folder}
        if ranks > len(os.sched_getaffinity(0)):
            made.update(self.recipe.crowded)
        return made

    def command(self, ranks, cluster):
        """How to start the program; cluster: ranks that share a process, of lwmpi only."""
        crowded = ranks > len(os.sched_getaffinity(0))
        share = ["--ranks-per-cluster", str(cluster)] if cluster > 1 else []
        return [os.path.join(self.folder, "bin/mpiexec"), "-n", str(ranks), *share,
                *(self.recipe.crowded_options if crowded else self.recipe.options), self.program]


def settings(libraries):
    """Lines that say of what version each library is, and with what it runs: of the variables that
    it heeds those set here, and those that this process was given, too."""
    for name, library in libraries.items():
        recipe = library.recipe
        own = {*recipe.environment, *recipe.crowded}
        given = {key: value for key, value in sorted(os.environ.items())
                 if key.startswith(recipe.heeds) and key not in own}
        parts = [" ".join([*(f"{key}={value}" for key, value in more.items()), *options]) + when
                 for more, options, when in (
                     (recipe.environment, [], ""), ({}, recipe.options, " (a processor per rank)"),
                     (recipe.crowded, recipe.crowded_options, " (more ranks than processors)"),
                     (given, [], " (found in the environment)"))
                 if more or options]
        yield f"{name}: {library.version}; {'; '.join(parts) or 'as it is'}"


def find(wanted, place, ours):
    """{name: Library} of the wanted ones, each NAME or NAME=FOLDER, that can be had; says which
    cannot. place: the folder to install into. ours: the folder of lwmpi's build."""
    found, built = {}, os.path.join(place, "bin")
    os.makedirs(built, exist_ok=True)
    for text in wanted:
        name, _, folder = text.partition("=")
        try:
            if not folder and RECIPES[name].packages:
                folder = os.path.join(place, name)
                install(name, folder)
            found[name] = Library(name, folder or ours, built)
        except Missing as problem:
            print(f"peers: {name} is left out: {problem}. An installation of your own: "
                  f"--libraries {name}=FOLDER, which has bin/mpicc and bin/mpiexec",
                  file=sys.stderr)
    return found

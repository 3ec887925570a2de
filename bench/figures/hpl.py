# SPDX-License-Identifier: MIT
"""ho-2015, section VI: HPL, if it was built (bench/hpl). Of what it was run with the source gives
the size of the problem alone."""
from experiment import HPL, At, Lines, Row, ratio
from ho import PROTOCOLS, VENDOR, variables

FITS = 1250  # of a matrix on 16 clusters of 2 MB
WIDTHS = (4, 8, 16, 32)  # NB: columns of a block
HELD = (4, 8, 32)        # of these, against the published gain
SIZES = {1250: 2, 2000: 4, 3000: 8}  # of a matrix on 16 clusters: MB that it needs in each
BY_DMA = PROTOCOLS["by DMA"]
EAGER = {**BY_DMA, "EAGER_LIMIT": 96}  # B: what fits into one message of the control network
MODELS = {"this project's layer": "", "the vendor's layer": VENDOR}


def run(ranks=16, n=FITS, nb=32, model="", limits=None, options=""):
    settings = f"{variables(limits)} " if limits else ""
    return (f"LWMPI_COMPUTE=counted {model}{settings}mpi {ranks} --map scatter "
            f"--ranks-per-cluster 1 {options}-- {HPL} {n} {nb}")


def gain(nb, model):
    """Of eager messages, over all of them by DMA."""
    return ratio(run(nb=nb, model=model, limits=EAGER), run(nb=nb, model=model, limits=BY_DMA),
                 "GFLOPS")


def rows(scale):
    if not scale.hpl:
        return
    yield Row("T13", "GFLOPS", "prediction", (run(), "GFLOPS"))
    yield Row("T13", "GFLOPS, vendor", "prediction", (run(model=VENDOR), "GFLOPS"))
    for nb in HELD:
        yield Row("T14", f"gain, NB = {nb}", "prediction", gain(nb, ""))
        yield Row("T14", f"gain, NB = {nb}, vendor", "prediction", gain(nb, VENDOR))


NOTES = {
    "T13": "counted computation, reference BLAS, NB = 32; the residual is checked, and a run that "
           "fails it fails here",
    "T14": "NB is not published, and the gain is a matter of it: pivots are found by messages of "
           "2 NB + 4 numbers, which are eager (96 B) if NB is 4. HPL is fastest here with NB = 8",
}
NOT_DONE = {}
WITHOUT = dict.fromkeys(("T13", "T14"), f"build/bin/{HPL} is not there; bench/hpl/README.md "
                        "tells how it is built")


def curves(value, places):
    return {f"reference BLAS, {label}": [At(x, value(x, model)) for x in places]
            for label, model in MODELS.items()}


def of_clusters(ranks, model):
    """As many elements on each rank as of the largest matrix that fits 16 of them."""
    return run(ranks, int(FITS * (ranks / 16) ** 0.5), model=model), "GFLOPS"


def of_size(n, model):
    return run(n=n, model=model, options=f"--set compute_memory={SIZES[n]}MB "), "GFLOPS"


def charts(scale):
    if not scale.hpl:
        return
    yield Lines("hpl", "ho-2015, figure 7a: HPL, one core of each cluster", "clusters", "GFLOPS",
                curves(of_clusters, (1, 2, 4, 8, 16)),
                {"reference BLAS, the vendor's layer": [(16, 1.2)]}, "xy", ("T13",))
    yield Lines("hpl-sizes", "ho-2015, figure 7b: HPL with as much memory as it needs",
                "rows of the matrix", "GFLOPS",
                curves(of_size, SIZES), log="xy")
    yield Lines("hpl-eager", "ho-2015, III-C: what eager messages make HPL faster by",
                "columns of a block", "GFLOPS, as a ratio", curves(gain, WIDTHS), log="x")

# SPDX-License-Identifier: MIT
"""ho-2015, section V: how long MPI_Send takes between two compute clusters, by protocol, fitted to
K x N + h cycles as table IV and equations 5 and 6 do."""
from experiment import Lines, Row
NEVER = 4294967295
OFF = {"EAGER_LIMIT": 0, "SPLIT_LIMIT": 0, "LAZY_LIMIT": 0}
PROTOCOLS = {
    "by core": {**OFF, "DMA_THRESHOLD": NEVER},
    "by DMA": {**OFF, "DMA_THRESHOLD": 0},
    "lazy": {**OFF, "LAZY_LIMIT": 8192, "LAZY_BYTES": 65536},
    "eager": {"LAZY_LIMIT": 0, "SPLIT_LIMIT": 1024},
}
# What is longer than a protocol's limit goes by another one, so no run is longer than it.
SIZES = {"by core": "1024:262144", "by DMA": "1024:262144", "lazy": "256:8192", "eager": "64:1024"}
SHOWN = {"by core": "64:8192", "by DMA": "64:8192", "lazy": "64:8192", "eager": "64:1024"}
PUBLISHED = {
    "by core": lambda n: 0.98 * n + 31430,
    "by DMA": lambda n: 0.27 * n + 33690,
    "lazy": lambda n: 1.28 * n + 5300,
    "eager": lambda n: 3800 * (n // 96 + 1),
}


IO_PUBLISHED = {("by core", "from"): (13.52, 159544), ("by core", "to"): (0.98, 129200),
                ("by DMA", "from"): (0.84, 181300), ("by DMA", "to"): (0.26, 144500)}


def variables(limits):
    return " ".join(f"LWMPI_{name}={value}" for name, value in limits.items())


VENDOR = "LWMPI_MODEL=vendor "


def run(protocol, sizes=None, pair="0:15", model=""):
    """Rank i is in cluster i."""
    return (f"{model}{variables(PROTOCOLS[protocol])} mpi 16 --map scatter -- osu_send -m "
            f"{sizes or SIZES[protocol]} -i 10 -x 2 -p {pair}")


def run_io(protocol, way):
    """The I/O rank is behind those of MPI_COMM_WORLD, and has its memory in DDR. way: MPI_Send
    `from` it or `to` it."""
    return (f"LWMPI_MODEL=vendor,ddr {variables(PROTOCOLS[protocol])} mpi 16 --map scatter "
            f"--io-rank -- osu_io_send {way}")


SHORT = "64:1024"
PER_BYTE, NOTHING = "MPI_Send: cycles for a byte", "MPI_Send: cycles for nothing"
PRICE = "{} of the machine file is taken from this source"
FITTED = "{} of the machine file was chosen by it"
CHOSEN = "{} of the machine file was chosen with an eye to it, and it does not come out"


def latency(size):
    """Of pieces, divided by that of the DMA engine."""
    quantity = f"latency of {size} B"
    return run("eager", SHORT), quantity, run("by DMA", SHORT), quantity


def vendor_rows():
    """The same with the vendor's layer below: what it adds is fitted to one of these rows."""
    for number, protocol, pair, role in (("T01", "by core", "0:15", "fit"),
                                         ("T02", "by core", "15:0", "prediction"),
                                         ("T03", "by DMA", "0:15", "prediction"),
                                         ("T04", "by DMA", "15:0", "prediction")):
        yield Row(number, "h, cycles, vendor", role, (run(protocol, None, pair, VENDOR), NOTHING),
                  FITTED.format("cost.vendor_portal") if role == "fit" else "")
    for part, size, role in (("64 B in one piece", 64, "fit"),
                             ("512 B in six pieces", 512, "prediction")):
        yield Row("T09", f"{part}, cycles, vendor", role,
                  (run("eager", model=VENDOR), f"MPI_Send of {size} B"),
                  FITTED.format("cost.vendor_mail") if role == "fit" else "")
    yield Row("T10", "h, cycles, vendor", "prediction", (run("lazy", model=VENDOR), NOTHING))
    for size, more in ((64, ""), (256, " (published: about 0.5)")):
        quantity = f"latency of {size} B"
        yield Row("T11", f"{size} B, vendor{more}", "prediction",
                  (run("eager", SHORT, model=VENDOR), quantity,
                   run("by DMA", SHORT, model=VENDOR), quantity))
    yield Row("T12", "256 KB, MB/s, vendor", "prediction",
              (run("by DMA", model=VENDOR), "MB/s of 262144 B"))


def io_rows():
    """Between the I/O rank and rank 15, with the vendor's layer, as the source has it."""
    for number, protocol, way, byte, nothing in (
            ("T05", "by core", "from", "noc.ddr_core_milli", "cost.ddr_send"),
            ("T06", "by core", "to", "noc.core_bytes", "cost.ddr_receive"),
            ("T07", "by DMA", "from", "noc.ddr_dma_milli", ""),
            ("T08", "by DMA", "to", "noc.dma_bytes", "")):
        program = run_io(protocol, way)
        yield Row(number, "K, cycles/B", "input", (program, PER_BYTE), PRICE.format(byte))
        yield Row(number, "h, cycles", "fit" if nothing else "prediction", (program, NOTHING),
                  FITTED.format(nothing) if nothing else "")


def rows(_):
    for number, protocol, pair in (("T01", "by core", "0:15"), ("T02", "by core", "15:0"),
                                   ("T03", "by DMA", "0:15"), ("T04", "by DMA", "15:0")):
        price = "noc.core_bytes" if protocol == "by core" else "noc.dma_bytes"
        program = run(protocol, pair=pair)
        yield Row(number, "K, cycles/B", "input", (program, PER_BYTE), PRICE.format(price))
        yield Row(number, "h, cycles", "fit", (program, NOTHING),
                  CHOSEN.format("cost.portal_setup"))
    yield from io_rows()
    for part, size in (("64 B in one piece", 64), ("512 B in six pieces", 512)):
        yield Row("T09", f"{part}, cycles", "fit", (run("eager"), f"MPI_Send of {size} B"),
                  CHOSEN.format("cost.mail_send"))
    yield Row("T10", "K, cycles/B", "input", (run("lazy"), PER_BYTE),
              PRICE.format("cost.copy_byte_milli"))
    yield Row("T10", "h, cycles", "prediction", (run("lazy"), NOTHING))
    yield Row("T11", "64 B in one piece", "prediction", latency(64))
    yield Row("T11", "1 KB, beyond the crossover", "prediction", latency(1024))
    yield Row("T11", "256 B in three pieces (published: about 0.5)", "prediction", latency(256))
    yield Row("T12", "256 KB, MB/s", "prediction", (run("by DMA"), "MB/s of 262144 B"))
    yield from vendor_rows()


NOTES = {
    "T01": "what a message costs beside its bytes is the MPI's own; lines that end in vendor have "
           "the vendor's layer below it, too, so their difference is that layer's",
    "T03": "measured by MPI_Send with every message sent by DMA (LWMPI_DMA_THRESHOLD=0)",
    "T05": "of a byte from DDR and of a transfer at an I/O cluster nothing is known but these "
           "rows; T07 and T08 tell whether what the core's need holds for the DMA engine",
    "T11": "beyond two pieces a rendezvous is faster here, so the split limit is 192 B; there all "
           "of 256 B went in pieces",
    "T12": "the rate of the links (1600 MB/s) is an input; with the published h it would be 1060",
}

NOT_DONE = {}


LABEL = {**{protocol: protocol for protocol in PROTOCOLS}, "eager": "eager, pieces of 96 B"}


def sizes_of(span):
    least, most = map(int, span.split(":"))
    return [least << i for i in range((most // least).bit_length())]


def curves(spans, pattern, of_cycles=None):
    """({label: curve}, {label: what the source's formula makes of each size})."""
    told = {LABEL[p]: [(n, of_cycles(n, PUBLISHED[p](n))) for n in sizes_of(span)]
            for p, span in spans.items() if of_cycles}
    own = {LABEL[p]: (run(p, span), pattern) for p, span in spans.items()}
    vendor = {f"{LABEL[p]}, vendor": (run(p, span, model=VENDOR), pattern)
              for p, span in spans.items()}
    return {**own, **vendor}, told


def charts(_):
    """The formulas are those of table IV and equations 5 and 6; a throughput or rate follows. The
    source has no formula for a latency with eager or lazy sends."""
    long = {protocol: "1024:262144" for protocol in ("by core", "by DMA")}
    yield Lines("send", "ho-2015, table IV, equations 5 and 6: MPI_Send", "bytes", "cycles",
                *curves(SHOWN, "MPI_Send of {} B", lambda _, cycles: cycles), "xy",
                ("T01", "T03", "T09", "T10"))
    yield Lines("throughput", "ho-2015, figure 5a: ping-pong throughput", "bytes", "MB/s",
                *curves(long, "MB/s of {} B", lambda n, cycles: 400 * n / cycles), "xy",
                ("T01", "T03"))
    yield Lines("throughput-io", "ho-2015, figure 5b: ping-pong throughput, I/O rank and rank 15",
                "bytes", "MB/s",
                {f"{LABEL[protocol]}, {way} I/O": (run_io(protocol, way),
                                                   "MB/s of MPI_Send of {} B")
                 for protocol, way in IO_PUBLISHED},
                {f"{LABEL[protocol]}, {way} I/O": [(n, 400 * n / (k * n + h))
                                                   for n in sizes_of("1024:262144")]
                 for (protocol, way), (k, h) in IO_PUBLISHED.items()}, "xy",
                ("T05", "T06", "T07", "T08"))
    yield Lines("latency", "ho-2015, figure 6a: latency, one way", "bytes", "us",
                *curves({**dict.fromkeys(PROTOCOLS, "64:8192"), "eager": "64:1024"},
                        "latency of {} B"), "xy")
    yield Lines("optimized", "ho-2015, figure 6b: ping-pong throughput by protocol", "bytes",
                "MB/s", *curves({**long, "lazy": "64:8192", "eager": "64:1024"},
                                "MB/s of {} B"), "xy")
    yield Lines("rate", "ho-2015, figure 6c: messages in a second", "bytes", "messages/s",
                *curves(SHOWN, "MPI_Send in a second of {} B", lambda _, cycles: 400e6 / cycles),
                "xy", ("T01", "T03", "T09", "T10"))

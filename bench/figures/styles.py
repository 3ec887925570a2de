# SPDX-License-Identifier: MIT
"""souto-2018: portals and mailboxes between an I/O cluster and the 16 compute clusters, on the
low-level library (DMA, many transfers at once) and on the vendor's (a core sends, one at a time).
"""
import statistics

from experiment import Lines, Of, Row

LOW, VENDOR = "noc_styles.sim", "LWMPI_MODEL=vendor noc_styles.sim sync"
SIZES, PEERS = tuple(1 << i for i in range(11)), range(1, 17)  # KB, compute clusters
SENT = "mppa256: portal from IO to 16 CC: {} KB"
RECEIVED = "mppa256: portal from 16 CC to IO: {} KB"
MAILS = "mppa256: mails of IO and CC: {} CC"


def mean(pattern, over):
    """Of the ratio of the low level to the vendor's library."""
    return Of(statistics.fmean, tuple((LOW, pattern.format(x), VENDOR, pattern.format(x))
                                      for x in over))


def rows(_):
    yield Row("T30", "throughput / vendor IPC's", "prediction", mean(SENT, SIZES))
    yield Row("T31", "throughput / vendor IPC's", "prediction", mean(RECEIVED, SIZES))
    yield Row("T32", "latency / vendor IPC's", "prediction", mean(MAILS, PEERS))


NOTES = {
    "T30": "the prices of the vendor's layer are fitted to ho-2015 (T01, T09). A DMA channel sends "
           "4 bytes a cycle and a core 1, so the ratio is 4 for long blocks; the source, whose "
           "mean is 2.52, gives neither rates nor prices of its I/O cluster",
    "T31": "the low level receives from all 16 at once, for the source says that it multiplexes "
           "what the vendor's library keeps for one",
}
NOT_DONE = {}


def charts(_):
    for name, pattern in (("send", SENT), ("receive", RECEIVED)):
        yield Lines(f"styles-{name}", f"souto-2018, figure 2a: portals, {name}", "KB", "MB/s",
                    {"low level, DMA": (LOW, pattern), "vendor's library": (VENDOR, pattern)},
                    log="xy")
    yield Lines("styles-mail", "souto-2018, figure 2b: mailboxes, 120 B", "compute clusters", "us",
                {"low level": (LOW, MAILS), "vendor's library": (VENDOR, MAILS)})

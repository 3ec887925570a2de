# SPDX-License-Identifier: MIT
"""ho-2015, section V: how long MPI_Send takes between two compute clusters, by protocol, fitted to
K x N + h cycles as table IV and equations 5 and 6 do."""

NEVER = 4294967295
OFF = {"EAGER_LIMIT": 0, "SPLIT_LIMIT": 0, "LAZY_LIMIT": 0}
PROTOCOLS = {
    "by core": {**OFF, "DMA_THRESHOLD": NEVER},
    "by DMA": {**OFF, "DMA_THRESHOLD": 0},
    "lazy": {**OFF, "LAZY_LIMIT": 8192, "LAZY_BYTES": 65536},
    "eager": {"LAZY_LIMIT": 0, "SPLIT_LIMIT": 1024},
}
SIZES = {"by core": "1024:262144", "by DMA": "1024:262144", "lazy": "256:8192", "eager": "64:1024"}


def run(protocol, sizes=None):
    variables = (f"LWMPI_{name}={value}" for name, value in PROTOCOLS[protocol].items())
    return (f"{' '.join(variables)} mpi 2 --map scatter -- osu_send -m {sizes or SIZES[protocol]} "
            "-i 10 -x 2")


SHORT = "64:256"
PER_BYTE, NOTHING = "MPI_Send: cycles for a byte", "MPI_Send: cycles for nothing"

ROWS = (
    ("T01", "CC to CC, by core: cycles for a byte", "0.98", (run("by core"), PER_BYTE),
     "0.88..1.08"),
    ("T01", "the same, for nothing", "31430", (run("by core"), NOTHING), "<= 34573"),
    ("T03", "CC to CC, by DMA: cycles for a byte", "0.27", (run("by DMA"), PER_BYTE),
     "0.24..0.30"),
    ("T03", "the same, for nothing", "33690", (run("by DMA"), NOTHING), "<= 37059"),
    ("T09", "MPI_Send of 64 B, eager, cycles", "3800", (run("eager"), "MPI_Send of 64 B"),
     "<= 4180"),
    ("T09", "the same, 512 B in 6 pieces", "22800", (run("eager"), "MPI_Send of 512 B"),
     "<= 25080"),
    ("T10", "MPI_Send, lazy: cycles for a byte", "1.28", (run("lazy"), PER_BYTE), "1.15..1.41"),
    ("T10", "the same, for nothing", "5300", (run("lazy"), NOTHING), "<= 5830"),
    ("T11", "latency of 64 B, eager / by DMA", "about 0.5",
     (run("eager", SHORT), "latency of 64 B", run("by DMA", SHORT), "latency of 64 B"),
     "<= 0.6"),
    ("T11", "the same, 256 B", "about 0.5",
     (run("eager", SHORT), "latency of 256 B", run("by DMA", SHORT), "latency of 256 B"), ""),
    ("T12", "ping-pong by DMA, 256 KB, MB/s", "1200", (run("by DMA"), "MB/s of 262144 B"),
     ">= 1200"),
)

NOTES = {
    "T01": "what a message costs beside its bytes is the MPI's own; it is less here",
    "T11": "beyond two pieces a rendezvous is faster here, so the split limit is 192 B; there all "
           "of 256 B went in pieces",
}

LINES = (
    ("send", "ho-2015, figure 6: MPI_Send", "bytes", "cycles",
     {protocol: (run(protocol, "64:8192"), "MPI_Send of {} B") for protocol in PROTOCOLS}),
)

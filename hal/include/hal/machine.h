/* SPDX-License-Identifier: MIT */
/* Machine description: what the machine is, as plain numbers.
 *
 * On linux and sim it is read from a text file (hal/hosted/machine.c, machines/<name>.machine); the
 * key of each field is the name of the field. On bare metal the board supplies it. It never changes
 * after boot. Clusters are numbered 0 .. compute_clusters-1 (compute), then the I/O clusters. Core
 * 0 of a cluster is its master core (the RM of an MPPA-256 compute cluster). */
#ifndef HAL_MACHINE_H
#define HAL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define HAL_MACHINE_NAME_MAX 32

/* What of the system runs as tasks instead of threads (souto-2022, 5.2.1). The keys of the machine
 * file are the names in lower case; docs/taskengine.md tells what each means. */
enum hal_variant {
    HAL_BASELINE, /* nothing */
    HAL_PARTIAL,  /* inter-kernel communication */
    HAL_FULL      /* that, the daemons of the services, and exceptions */
};

/* Price in cycles of the kernel's paths; charged through hal_work. All zero on real machines. */
struct hal_cost {
    uint32_t kernel_call;    /* entry to and return from the kernel, same core */
    uint32_t context_switch; /* one thread to another */
    uint32_t thread_create;
    uint32_t thread_search; /* an entry of the ancestor's table of threads that is looked at */
    uint32_t wakeup;        /* making a thread ready, without the interrupt */
    uint32_t ipi;           /* interrupt from a core to another of its cluster, send to receive */
    uint32_t match;         /* one comparison in a message queue */
    uint32_t mail_send;     /* processor time to write one mailbox message */
    uint32_t mail_recv;     /* processor time to read one */
    uint32_t portal_setup;  /* processor time to configure one portal transfer, each end */
    uint32_t sync_signal;   /* processor time to emit one C-NoC word */
    uint32_t ddr_send;      /* an I/O cluster's part in portal_setup if it sends from its DDR */
    uint32_t ddr_receive;   /* ... and if it receives into it */
    uint32_t vendor_mail;   /* the vendor's layer: its part in mail_send */
    uint32_t vendor_portal; /* ... and in portal_setup */
    uint32_t copy_setup;    /* a memory copy costs copy_setup + bytes * copy_byte_milli / 1000 */
    uint32_t copy_byte_milli;
};

/* What the operations of a program's own code cost, in thousandths of a cycle each: the time that
 * one adds to a long run of code, not its latency. A program's code is charged with them if its
 * operations are counted (docs/compute.md). All zero on real machines. */
struct hal_compute {
    uint32_t integer_milli;
    uint32_t multiply_milli; /* of integers */
    uint32_t divide_milli;   /* of integers */
    uint32_t memory_milli;   /* a load or store of up to 8 bytes */
    uint32_t float_add_milli;
    uint32_t float_multiply_milli;
    uint32_t float_divide_milli; /* or square root */
    uint32_t branch_milli;
};

/* Energy model, all integers. Static power is charged for the whole run. */
struct hal_power {
    uint32_t core_busy_uw; /* microwatts of a core that executes */
    uint32_t core_idle_uw; /* microwatts of a core that waits for an event */
    uint32_t cluster_uw;   /* static microwatts of a cluster (memory, network interface) */
    uint32_t machine_uw;   /* static microwatts of the rest */
    uint32_t flit_hop_fj;  /* femtojoules of one D-NoC or C-NoC flit crossing one link */
    uint32_t flit_ni_fj;   /* femtojoules of one flit entering or leaving a network interface */
};

/* The network. Both NoCs share the torus; a node is a cluster, placed row by row. */
struct hal_noc {
    uint32_t torus_x, torus_y; /* torus_x * torus_y >= number of clusters */
    uint32_t link_bytes;       /* bytes per cycle of a D-NoC link; also one flit */
    uint32_t dma_bytes;        /* bytes per cycle that a DMA channel injects */
    uint32_t core_bytes;       /* bytes per cycle that a core injects */
    uint32_t dma_channels;     /* transfers by DMA in flight per cluster */
    uint32_t router_cycles;    /* paid once per message */
    uint32_t hop_cycles;       /* paid per link crossed */
    uint32_t
        ddr_core_milli;     /* thousandths of a cycle that a core takes to inject a byte from DDR */
    uint32_t ddr_dma_milli; /* ... and a DMA channel */
    uint32_t cnoc_cycles;   /* fixed latency of a C-NoC word, added to router and hops */
};

struct hal_machine {
    char name[HAL_MACHINE_NAME_MAX];
    uint64_t hz;               /* cycles per second of hal_clock_cycles */
    uint32_t compute_clusters; /* 1 .. HAL_CLUSTERS_MAX */
    uint32_t compute_cores;    /* cores of each, master core included */
    uint64_t compute_memory;   /* bytes of each */
    uint32_t io_clusters;      /* 0 .. */
    uint32_t io_cores;
    uint64_t io_memory;
    uint64_t ddr_memory;      /* of each instead, with io_ddr */
    uint32_t shared_memory;   /* bytes that all clusters reach (hal/board.h); 0: none */
    uint64_t lent_memory;     /* bytes beside its own, for what does not fit to run all the same */
    uint32_t page_size;       /* bytes, a power of two */
    uint32_t stack_size;      /* bytes of memory that one thread's stack occupies */
    bool asymmetric;          /* kernel calls marked `master` run on core 0; else inline */
    uint32_t variant;         /* enum hal_variant */
    bool ancestor_threads;    /* threads are managed as the published system did */
    bool ancestor_portals;    /* portals carry bytes as the published system did */
    bool ancestor_waiting;    /* threads wait for communication as the published system did */
    bool io_ddr;              /* programs of I/O clusters have their memory in DDR */
    bool vendor_layer;        /* the network is reached through the chip vendor's library */
    uint32_t threads;         /* kernel threads per cluster */
    uint32_t mail_slots;      /* mailbox messages in flight per (sender, receiver), 1 .. 64 */
    uint32_t portal_channels; /* portal transfers that a cluster can receive at a time, 1 .. 64 */
    uint32_t sync_slots;      /* C-NoC words in flight per (sender, receiver), 1 .. 64 */
    uint32_t mailbox_ports;   /* logical ports per cluster */
    uint32_t portal_ports;
    uint32_t syncs;              /* virtual syncs per cluster */
    uint32_t mail_buffers;       /* messages stored per cluster, from remote clusters */
    uint32_t mail_buffers_local; /* messages stored per cluster, from its own threads */
    uint32_t local_limit;        /* MPI thresholds, bytes: see mpiutil/tuning.h */
    uint32_t eager_limit;
    uint32_t split_limit;
    uint32_t lazy_limit;
    uint32_t lazy_bytes;
    uint32_t lane_bytes;
    uint32_t dma_threshold;
    struct hal_noc noc;
    struct hal_cost cost;
    struct hal_compute compute;
    struct hal_power power;
};

/* The machine that runs. Never NULL once booted; constant. From any context. */
const struct hal_machine *hal_machine(void);

/* The node of the calling cluster: what of the machine has one memory, be it a cluster or a whole
 * computer with many. Clusters with the same number are on the same node. The name is what people
 * call it: that of a computer among others, or machine and cluster. Constant. From any context. */
int hal_node(void);
const char *hal_node_name(void);

/* Clusters of the machine: compute, then I/O. */
static inline int hal_machine_clusters(const struct hal_machine *m)
{
    return (int)(m->compute_clusters + m->io_clusters);
}

static inline bool hal_machine_is_io(const struct hal_machine *m, int cluster)
{
    return cluster >= (int)m->compute_clusters;
}

/* Cores and bytes of memory of one cluster. */
static inline int hal_machine_cores(const struct hal_machine *m, int cluster)
{
    return (int)(hal_machine_is_io(m, cluster) ? m->io_cores : m->compute_cores);
}

static inline uint64_t hal_machine_memory(const struct hal_machine *m, int cluster)
{
    return hal_machine_is_io(m, cluster) ? m->io_memory : m->compute_memory;
}

/* With what it is lent: the size of its window (hal/mem.h). */
static inline uint64_t hal_machine_window(const struct hal_machine *m, int cluster)
{
    return hal_machine_memory(m, cluster) + m->lent_memory;
}

#endif

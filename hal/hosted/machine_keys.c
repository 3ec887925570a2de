/* SPDX-License-Identifier: MIT */
#include "machine_keys.h"

#include <base/config.h>

#define U32(field, unit, min, max, meaning)                                                        \
    {                                                                                              \
#field, offsetof(struct hal_machine, field), HAL_KEY_U32, HAL_##unit, min, max, meaning,   \
            NULL                                                                                   \
    }
#define U64(field, unit, min, max, meaning)                                                        \
    {                                                                                              \
#field, offsetof(struct hal_machine, field), HAL_KEY_U64, HAL_##unit, min, max, meaning,   \
            NULL                                                                                   \
    }
#define BOOL(field, meaning)                                                                       \
    {                                                                                              \
#field, offsetof(struct hal_machine, field), HAL_KEY_BOOL, HAL_PLAIN, 0, 1, meaning,       \
            yes_no                                                                                 \
    }
#define COST(field, meaning)    U32(cost.field, CYCLES, 0, 10000000, meaning)
#define COMPUTE(field, meaning) U32(compute.field, OPERATION, 0, 1000000000, meaning)

#define WORD(field, names, max, meaning)                                                           \
    {                                                                                              \
#field, offsetof(struct hal_machine, field), HAL_KEY_WORD, HAL_PLAIN, 0, max, meaning,     \
            names                                                                                  \
    }

#define KB UINT64_C(1024)
#define MB (1024 * KB)
#define GB (1024 * MB)

static const char *const yes_no[] = {"no", "yes", NULL};
const char *const hal_variant_names[] = {
    [HAL_BASELINE] = "baseline", [HAL_PARTIAL] = "partial", [HAL_FULL] = "full", NULL};

const struct hal_key hal_keys[] = {
    U64(hz, HERTZ, 1000, UINT64_C(10000000000), "cycles per second"),
    U32(compute_clusters, CLUSTERS, 1, HAL_CLUSTERS_MAX, "compute clusters"),
    U32(compute_cores, CORES, 1, HAL_CORES_MAX, "cores of each, master core included"),
    U64(compute_memory, BYTES, 4 * KB, 64 * GB, "memory of each"),
    U32(io_clusters, CLUSTERS, 0, HAL_CLUSTERS_MAX, "I/O clusters"),
    U32(io_cores, CORES, 0, HAL_CORES_MAX, "cores of each, master core included"),
    U64(io_memory, BYTES, 0, 64 * GB, "memory of each"),
    U64(ddr_memory, BYTES, 0, 64 * GB, "memory of each instead, with io_ddr"),
    U32(shared_memory, BYTES, 0, 2 * GB, "memory that all clusters reach"),
    U32(page_size, BYTES, 256, 64 * KB, "page of memory"),
    U32(stack_size, BYTES, 256, 64 * MB, "memory that a thread's stack occupies"),
    BOOL(asymmetric, "kernel calls run on core 0 of the cluster"),
    WORD(variant, hal_variant_names, HAL_FULL, "what of the system runs as tasks"),
    BOOL(ancestor_threads, "threads managed as the published system did"),
    BOOL(ancestor_portals, "portals that carry bytes as the published system did"),
    BOOL(ancestor_waiting, "threads that wait for communication as the published system did"),
    BOOL(io_ddr, "I/O clusters whose programs have their memory in DDR"),
    BOOL(vendor_layer, "the network reached through the chip vendor's library"),
    U32(threads, THREADS, 1, KERN_THREADS_MAX, "kernel threads per cluster"),
    U32(mail_slots, SLOTS, 1, 64, "mailbox messages in flight per sender and receiver"),
    U32(portal_channels, CHANNELS, 1, 64, "portal transfers a cluster receives at a time"),
    U32(sync_slots, SLOTS, 1, 64, "C-NoC words in flight per sender and receiver"),
    U32(mailbox_ports, PORTS, 1, KERN_PORTS_MAX, "logical mailbox ports per cluster"),
    U32(portal_ports, PORTS, 1, KERN_PORTS_MAX, "logical portal ports per cluster"),
    U32(syncs, SYNCS, 1, KERN_SYNC_LATCHES_MAX, "virtual syncs per cluster"),
    U32(mail_buffers, MESSAGES, 1, KERN_MAIL_BUFFERS_MAX, "stored messages from other clusters"),
    U32(mail_buffers_local, MESSAGES, 1, KERN_MAIL_BUFFERS_MAX, "stored messages of own threads"),
    U32(local_limit, BYTES, 0, 64 * MB, "longest message sent eagerly in a cluster"),
    U32(eager_limit, BYTES, 0, 64 * MB, "longest message sent eagerly"),
    U32(split_limit, BYTES, 0, 64 * MB, "longest message sent in several mailbox messages"),
    U32(lazy_limit, BYTES, 0, 64 * MB, "longest message copied at its sender and sent later"),
    U32(lazy_bytes, BYTES, 0, 1 * GB, "memory of a rank for such copies"),
    U32(lane_bytes, BYTES, 0, 1 * MB, "memory of a core for short messages from others"),
    U32(dma_threshold, BYTES, 0, 2 * GB, "shortest transfer by DMA"),
    U32(noc.torus_x, NODES, 1, HAL_CLUSTERS_MAX, "nodes per row of the torus"),
    U32(noc.torus_y, NODES, 1, HAL_CLUSTERS_MAX, "rows of the torus"),
    U32(noc.link_bytes, BANDWIDTH, 1, 4096, "bandwidth of a D-NoC link; one flit per cycle"),
    U32(noc.dma_bytes, BANDWIDTH, 1, 4096, "injection by a DMA channel"),
    U32(noc.core_bytes, BANDWIDTH, 1, 4096, "injection by a core"),
    U32(noc.dma_channels, CHANNELS, 1, 64, "DMA transfers in flight per cluster"),
    U32(noc.router_cycles, CYCLES, 0, 1000000, "paid once per message"),
    U32(noc.hop_cycles, CYCLES, 0, 1000000, "paid per link crossed"),
    U32(noc.ddr_core_milli, COPY_COST, 0, 1000000, "injection from DDR by a core"),
    U32(noc.ddr_dma_milli, COPY_COST, 0, 1000000, "injection from DDR by a DMA channel"),
    U32(noc.cnoc_cycles, CYCLES, 0, 1000000, "a C-NoC word, beside router and hops"),
    COST(kernel_call, "entry to and return from the kernel on the same core"),
    COST(context_switch, "one thread to another"),
    COST(thread_create, "creation of a thread"),
    COST(thread_search, "an entry of the ancestor's table of threads"),
    COST(wakeup, "making a thread ready, without the interrupt"),
    COST(ipi, "interrupt from core to core, send to receive"),
    COST(match, "one comparison in a message queue"),
    COST(mail_send, "writing one mailbox message"),
    COST(mail_recv, "reading one mailbox message"),
    COST(portal_setup, "configuring one portal transfer, each end"),
    COST(sync_signal, "emitting one C-NoC word"),
    COST(ddr_send, "configuring a portal transfer out of DDR, beside portal_setup"),
    COST(ddr_receive, "configuring a portal transfer into DDR, beside portal_setup"),
    COST(vendor_mail, "the vendor's layer in writing a mailbox message"),
    COST(vendor_portal, "the vendor's layer in configuring a portal transfer, each end"),
    COST(copy_setup, "starting a copy of memory"),
    U32(cost.copy_byte_milli, COPY_COST, 0, 1000000, "copying a byte of memory"),
    COMPUTE(integer_milli, "an operation on integers, or a move"),
    COMPUTE(multiply_milli, "a multiplication of integers"),
    COMPUTE(divide_milli, "a division of integers"),
    COMPUTE(memory_milli, "a load or store of up to 8 bytes"),
    COMPUTE(float_add_milli, "an addition or comparison of floating point numbers"),
    COMPUTE(float_multiply_milli, "a multiplication of floating point numbers"),
    COMPUTE(float_divide_milli, "a division or square root of floating point numbers"),
    COMPUTE(branch_milli, "a jump, call or return"),
    U32(power.core_busy_uw, WATTS, 0, 1000000000, "a core that executes"),
    U32(power.core_idle_uw, WATTS, 0, 1000000000, "a core that waits"),
    U32(power.cluster_uw, WATTS, 0, 1000000000, "static, per cluster"),
    U32(power.machine_uw, WATTS, 0, 1000000000, "static, the rest of the machine"),
    U32(power.flit_hop_fj, JOULES, 0, 1000000000, "a flit crossing a link"),
    U32(power.flit_ni_fj, JOULES, 0, 1000000000, "a flit entering or leaving a network interface"),
};
const size_t hal_key_count = sizeof hal_keys / sizeof hal_keys[0];
_Static_assert(sizeof hal_keys / sizeof hal_keys[0] <= HAL_KEYS_MAX, "HAL_KEYS_MAX is too small");

void hal_key_set(struct hal_machine *m, const struct hal_key *key, uint64_t value)
{
    char *field = (char *)m + key->offset;
    switch (key->type) {
    case HAL_KEY_U32:
    case HAL_KEY_WORD:
        *(uint32_t *)(void *)field = (uint32_t)value;
        break;
    case HAL_KEY_U64:
        *(uint64_t *)(void *)field = value;
        break;
    default:
        *(bool *)(void *)field = value != 0;
        break;
    }
}

/* SPDX-License-Identifier: MIT */
/* Words that wait in the receiver's memory, a ring for each sender: one end writes `sent`, the
 * other `taken`. */
#include <hal/sync.h>

#include <stdatomic.h>

#include <base/error.h>
#include <hal/core.h>

#include "port.h"

static struct ring {
    _Alignas(KERN_LINE) _Atomic(uint32_t) sent;
    uint64_t words[64];
    _Alignas(KERN_LINE) _Atomic(uint32_t) taken;
} rings[CLUSTERS];

static atomic_uint turn;
static atomic_flag sending[CLUSTERS]; /* cores of this cluster send to the same one in turn */

int hal_sync_signal(int to, uint64_t word)
{
    const struct hal_machine *m = hal_machine();
    if (to < 0 || to >= hal_machine_clusters(m))
        return -B_EHOSTUNREACH;
    struct ring *r = port_there(to, &rings[hal_cluster()]);
    while (atomic_flag_test_and_set(&sending[to])) {
    }
    uint32_t n = atomic_load(&r->sent);
    bool full = n - atomic_load(&r->taken) == m->sync_slots;
    if (!full) {
        r->words[n % 64] = word;
        atomic_store(&r->sent, n + 1);
    }
    atomic_flag_clear(&sending[to]);
    if (full)
        return -B_EAGAIN;
    port_event_network(to);
    return 0;
}

int hal_sync_peek(int *from, uint64_t *word)
{
    unsigned all = (unsigned)hal_machine_clusters(hal_machine()), first = atomic_load(&turn);
    for (unsigned i = 0; i < all; i++) {
        unsigned sender = (first + i) % all;
        struct ring *r = &rings[sender];
        uint32_t n = atomic_load(&r->taken);
        if (atomic_load(&r->sent) != n) {
            *from = (int)sender;
            *word = r->words[n % 64];
            return 0;
        }
    }
    return -B_EAGAIN;
}

int hal_sync_release(int from)
{
    if (from < 0 || from >= hal_machine_clusters(hal_machine()))
        return -B_EINVAL;
    struct ring *r = &rings[from];
    uint32_t n = atomic_load(&r->taken);
    if (atomic_load(&r->sent) == n)
        return -B_EINVAL;
    atomic_store(&r->taken, n + 1);
    atomic_store(&turn, (unsigned)from + 1);
    port_event_network(from);
    return 0;
}

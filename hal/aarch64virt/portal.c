/* SPDX-License-Identifier: MIT */
/* Transfers: a record for each channel in the receiver's memory. Its state is one word with the
 * grant's serial number, so that sender and receiver can each take it from the other at any moment
 * and a late put finds a later number. The sender copies. */
#include <hal/portal.h>

#include <stdatomic.h>

#include <base/error.h>
#include <hal/core.h>
#include <hal/mem.h>
#include <hal/power.h>

#include "port.h"

enum { CHANNELS = 64, HANDLES = 64 };
enum state { FREE, OFFERED, TAKEN, MOVING, DONE }; /* in the lowest byte; above it the serial */

static struct channel {
    _Alignas(KERN_LINE) _Atomic(uint64_t) state;
    int from;
    uint32_t cookie, sent_cookie;
    void *buf;
    size_t capacity, sent;
} channels[CHANNELS];

static _Atomic(uint64_t) pending; /* handles of transfers whose completion was not taken */
static unsigned next_to;          /* receiver whose grants are looked at first */

static int clusters(void)
{
    return hal_machine_clusters(hal_machine());
}

static struct channel *channel_here(int channel)
{
    bool there = channel >= 0 && channel < (int)hal_machine()->portal_channels;
    return there ? &channels[channel] : NULL;
}

static bool change(struct channel *c, uint64_t state, enum state to)
{
    return atomic_compare_exchange_strong(&c->state, &state, (state & ~UINT64_C(255)) | to);
}

int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity)
{
    struct channel *c = channel_here(channel);
    if (!c)
        return -B_EINVAL;
    if (from < 0 || from >= clusters())
        return -B_EHOSTUNREACH;
    uint64_t state = atomic_load(&c->state);
    if ((state & 255) != FREE)
        return -B_EBUSY;
    c->from = from;
    c->cookie = cookie;
    c->buf = port_there(hal_cluster(), buf);
    c->capacity = capacity;
    atomic_store(&c->state, state + 256 + OFFERED);
    port_event_network(from);
    return 0;
}

int hal_portal_received(int channel, size_t *n, uint32_t *cookie)
{
    struct channel *c = channel_here(channel);
    uint64_t state = c ? atomic_load(&c->state) : FREE;
    if ((state & 255) == FREE)
        return -B_EINVAL;
    if ((state & 255) != DONE) {
        if (!hal_power_ended(c->from) || !change(c, state, FREE))
            return -B_EAGAIN;
        return -B_EIO;
    }
    *n = c->sent;
    *cookie = c->sent_cookie;
    change(c, state, FREE);
    return 0;
}

int hal_portal_revoke(int channel)
{
    struct channel *c = channel_here(channel);
    for (;;) {
        uint64_t state = c ? atomic_load(&c->state) : FREE;
        if ((state & 255) == FREE)
            return -B_EINVAL;
        if ((state & 255) > TAKEN)
            return -B_EAGAIN;
        if (change(c, state, FREE))
            return 0;
    }
}

static bool take(int to, struct hal_grant *g)
{
    for (int i = 0; i < (int)hal_machine()->portal_channels; i++) {
        struct channel *c = port_there(to, &channels[i]);
        uint64_t state = atomic_load(&c->state);
        if ((state & 255) == OFFERED && c->from == hal_cluster()) {
            *g = (struct hal_grant){to, i, c->cookie, (uint32_t)(state >> 8), c->capacity};
            if (change(c, state, TAKEN))
                return true;
        }
    }
    return false;
}

int hal_portal_grant(struct hal_grant *g)
{
    unsigned all = (unsigned)clusters();
    for (unsigned i = 0; i < all; i++) {
        unsigned to = (next_to + i) % all;
        if (take((int)to, g)) {
            next_to = to + 1;
            return 0;
        }
    }
    return -B_EAGAIN;
}

/* A number for a transfer, or -1: all are in use. */
static int handle_take(void)
{
    uint64_t before = atomic_load(&pending);
    int handle;
    do {
        if (before == UINT64_MAX)
            return -1;
        handle = __builtin_ctzll(~before);
    } while (!atomic_compare_exchange_weak(&pending, &before, before | UINT64_C(1) << handle));
    return handle;
}

int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle)
{
    (void)engine; /* there is no DMA */
    struct channel *c = port_there(g->to, &channels[g->channel]);
    if (n > g->capacity)
        return -B_EMSGSIZE;
    if (hal_power_ended(g->to))
        return -B_EIO;
    int h = handle_take();
    if (h < 0)
        return -B_EAGAIN;
    uint64_t state = atomic_load(&c->state);
    if ((uint32_t)(state >> 8) != g->serial || (state & 255) != TAKEN ||
        !change(c, state, MOVING)) {
        atomic_fetch_and(&pending, ~(UINT64_C(1) << h));
        return -B_ECANCELED;
    }
    hal_mem_copy(c->buf, buf, n);
    c->sent = n;
    c->sent_cookie = cookie;
    atomic_fetch_add(&c->state, DONE - MOVING);
    port_event_network(g->to);
    port_event_network(hal_cluster()); /* the transfer has ended */
    *handle = h;
    return 0;
}

int hal_portal_sent(int handle)
{
    if (handle < 0 || handle >= HANDLES)
        return -B_EINVAL;
    uint64_t mine = UINT64_C(1) << handle, before = atomic_fetch_and(&pending, ~mine);
    if (before == UINT64_MAX) /* somebody may wait for a handle */
        port_event_network(hal_cluster());
    return before & mine ? 0 : -B_EINVAL;
}

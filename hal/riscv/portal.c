/* SPDX-License-Identifier: MIT */
/* Portal: the receiver writes a grant into one of its channels; the sender claims it and gives the
 * transfer to the network's engine (engine.c), by either kind: here the engine moves all data. */
#include "riscv.h"

#include <base/error.h>
#include <hal/portal.h>
#include <hal/power.h>

static int next; /* receiver that is asked first for a grant; under the caller's lock */

static bool is_channel(int channel)
{
    return channel >= 0 && channel < (int)hal_machine()->portal_channels;
}

static struct rv_channel *mine(int channel)
{
    return &rv_noc()->channel[rv_cluster][channel];
}

/* A channel's state, taken apart. */
static uint32_t kind_of(uint32_t state)
{
    return state % RV_STATES;
}

static uint32_t serial_of(uint32_t state)
{
    return state / RV_STATES;
}

int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity)
{
    if (!is_channel(channel))
        return -B_EINVAL;
    if (from < 0 || from >= hal_machine_clusters(hal_machine()))
        return -B_EHOSTUNREACH;
    struct rv_channel *c = mine(channel);
    uint32_t state = atomic_load(&c->state);
    if (kind_of(state) != RV_FREE)
        return -B_EBUSY;
    c->from = (uint32_t)from;
    c->cookie = cookie;
    c->buffer = (uintptr_t)buf;
    c->capacity = capacity;
    atomic_store(&c->state, (serial_of(state) + 1) * RV_STATES + RV_GRANTED);
    atomic_fetch_add(&rv_noc()->pair[from][rv_cluster].grants, 1);
    rv_raise_noc(from);
    return 0;
}

static void free_channel(struct rv_channel *c)
{
    atomic_store(&c->state, serial_of(atomic_load(&c->state)) * RV_STATES + RV_FREE);
}

int hal_portal_received(int channel, size_t *n, uint32_t *cookie)
{
    if (!is_channel(channel) || kind_of(atomic_load(&mine(channel)->state)) == RV_FREE)
        return -B_EINVAL;
    struct rv_channel *c = mine(channel);
    bool gone = hal_power_ended((int)c->from); /* first: what it sent before arrives before */
    if (kind_of(atomic_load(&c->state)) == RV_WRITTEN) {
        *n = c->written;
        *cookie = c->sender_cookie;
        free_channel(c);
        return 0;
    }
    if (gone) {
        free_channel(c);
        return -B_EIO;
    }
    return -B_EAGAIN;
}

int hal_portal_revoke(int channel)
{
    if (!is_channel(channel))
        return -B_EINVAL;
    struct rv_channel *c = mine(channel);
    uint32_t state = atomic_load(&c->state);
    if (kind_of(state) == RV_FREE)
        return -B_EINVAL;
    return kind_of(state) == RV_GRANTED &&
                   atomic_compare_exchange_strong(&c->state, &state,
                                                  serial_of(state) * RV_STATES + RV_FREE)
               ? 0
               : -B_EAGAIN;
}

/* A grant of receiver `to` that was not taken. */
static bool take(int to, struct hal_grant *g)
{
    struct rv_pair *p = &rv_noc()->pair[rv_cluster][to];
    uint32_t count = atomic_load(&p->grants);
    if (count == p->seen)
        return false;
    for (int i = 0; i < (int)hal_machine()->portal_channels; i++) {
        struct rv_channel *c = &rv_noc()->channel[to][i];
        uint32_t state = atomic_load(&c->state), serial = serial_of(state);
        if (kind_of(state) != RV_GRANTED || c->taken == serial || c->from != (uint32_t)rv_cluster)
            continue;
        *g = (struct hal_grant){
            .to = to, .channel = i, .cookie = c->cookie, .serial = serial, .capacity = c->capacity};
        if (atomic_load(&c->state) == state) { /* else it was revoked while we read */
            c->taken = serial;
            return true;
        }
    }
    p->seen = count;
    return false;
}

int hal_portal_grant(struct hal_grant *g)
{
    int clusters = hal_machine_clusters(hal_machine());
    for (int i = 0; i < clusters; i++) {
        int to = (next + i) % clusters;
        if (take(to, g)) {
            next = to + 1;
            return 0;
        }
    }
    return -B_EAGAIN;
}

/* An unused transfer; -B_EAGAIN: there is none, or as many are under way as the machine has DMA
 * channels. */
static int unused(void)
{
    int found = -B_EAGAIN;
    uint32_t busy = 0;
    for (int i = 0; i < RV_TRANSFERS; i++) {
        uint32_t state = atomic_load(&rv_noc()->transfer[rv_cluster][i].state);
        busy += state == RV_ASKED;
        if (state == RV_UNUSED && found < 0)
            found = i;
    }
    return busy < hal_machine()->noc.dma_channels ? found : -B_EAGAIN;
}

int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle)
{
    struct rv_channel *c = &rv_noc()->channel[g->to][g->channel];
    uint32_t granted = g->serial * RV_STATES + RV_GRANTED;
    int i = unused();
    (void)engine;
    if (n > g->capacity)
        return -B_EMSGSIZE;
    if (hal_power_ended(g->to))
        return -B_EIO;
    if (i < 0)
        return i;
    if (!atomic_compare_exchange_strong(&c->state, &granted, g->serial * RV_STATES + RV_CLAIMED))
        return -B_ECANCELED;
    struct rv_transfer *t = &rv_noc()->transfer[rv_cluster][i];
    t->to = (uint32_t)g->to;
    t->channel = (uint32_t)g->channel;
    t->cookie = cookie;
    t->buffer = (uintptr_t)buf;
    t->n = n;
    rv_awake_more(); /* until the engine is done */
    atomic_store(&t->state, RV_ASKED);
    rv_raise(rv_harts());
    *handle = i;
    return 0;
}

int hal_portal_sent(int handle)
{
    if (handle < 0 || handle >= RV_TRANSFERS)
        return -B_EINVAL;
    struct rv_transfer *t = &rv_noc()->transfer[rv_cluster][handle];
    uint32_t state = atomic_load(&t->state);
    if (state == RV_DONE) {
        atomic_store(&t->state, RV_UNUSED);
        return 0;
    }
    return state == RV_ASKED ? -B_EAGAIN : -B_EINVAL;
}

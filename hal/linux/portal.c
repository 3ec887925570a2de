/* SPDX-License-Identifier: MIT */
/* Portal: grants, and the two ends of a transfer. Calls may come from several cores at once. */
#include "portal.h"

#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/lock.h>
#include <hal/portal.h>

#define TRANSFERS 256 /* in flight from one cluster */

enum transfer_state { UNUSED, MOVING, OVER };

/* A transfer that this cluster sends. */
struct transfer {
    enum transfer_state state;
    uint32_t serial; /* of the grant; also the upper part of the handle */
    int to, channel;
    const void *buf;
    size_t n;
};

static struct {
    struct hal_lock lock; /* guards all below */
    struct transfer sent[TRANSFERS];
    bool starved;              /* a put was refused for want of a transfer */
    void *buffer[LX_CHANNELS]; /* of the grants given */
    bool busy[LX_CHANNELS];    /* a core is moving data of the channel */
    uint32_t serial;           /* of the last grant given; 0: none was */
    uint32_t *taken;           /* by receiver and channel: serial of the last grant taken, or 0 */
    int next;                  /* round-robin over receivers */
} portal;

int lx_portal_attach(void)
{
    hal_lock_init(&portal.lock, "portal");
    portal.taken = calloc((size_t)lx.clusters * LX_CHANNELS, sizeof *portal.taken);
    return portal.taken ? 0 : -B_ENOMEM;
}

static enum lx_phase phase_of(unsigned word)
{
    return (enum lx_phase)(word & 15);
}

/* The calling cluster's channel, NULL if there is no such. */
static struct lx_channel *own(int channel)
{
    bool good = channel >= 0 && channel < (int)lx.job->machine.portal_channels;
    return good ? &lx.self->channel[channel] : NULL;
}

int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity)
{
    struct lx_channel *ch = own(channel);
    if (!ch)
        return -B_EINVAL;
    if (from < 0 || from >= lx.clusters)
        return -B_EHOSTUNREACH;
    hal_lock(&portal.lock);
    if (phase_of(atomic_load(&ch->phase)) != LX_FREE) {
        hal_unlock(&portal.lock);
        return -B_EBUSY;
    }
    portal.serial = portal.serial < LX_SERIAL_MASK ? portal.serial + 1 : 1;
    atomic_store(&ch->phase, lx_phase_word(portal.serial, LX_SETTING));
    uint64_t offset;
    bool in_window = lx_in_window(buf, capacity, &offset);
    portal.buffer[channel] = buf;
    ch->from = from;
    ch->cookie = cookie;
    ch->in_window = in_window;
    ch->address = in_window ? offset : (uintptr_t)buf;
    ch->capacity = capacity;
    atomic_store(&ch->filled, 0);
    atomic_store(&ch->drained, 0);
    atomic_store(&ch->phase, lx_phase_word(portal.serial, LX_GRANTED));
    hal_unlock(&portal.lock);

    atomic_fetch_or(&lx_link(lx.job, from, lx.cluster)->granted, 1ULL << channel);
    lx_set_add(lx_cluster(lx.job, from)->grants, lx.cluster);
    lx_event_news(lx.job, from);
    return 0;
}

/* Moves what a channel has to move. Returns 0 when the data is in the buffer. */
static int receive(struct lx_channel *ch, int channel)
{
    int from = ch->from;
    bool dead = lx_gone(from); /* read before the phase: the transfer may have ended just before */
    switch (phase_of(atomic_load(&ch->phase))) {
    case LX_DONE:
        return 0;
    case LX_SHARED:
        lx_transfer_pull(channel, portal.buffer[channel]);
        if (lx_transfer_finished(ch))
            return atomic_load(&ch->broken) != 0 ? -B_EIO : 0;
        return dead ? -B_EIO : -B_EAGAIN;
    case LX_BOUNCE:
        if (lx_transfer_drain(channel, portal.buffer[channel]))
            lx_event_news(lx.job, from);
        if (atomic_load(&ch->drained) == ch->size)
            return 0;
        return dead ? -B_EIO : -B_EAGAIN;
    case LX_FREE:
        return -B_EINVAL;
    default:
        return dead ? -B_EIO : -B_EAGAIN;
    }
}

int hal_portal_received(int channel, size_t *n, uint32_t *cookie)
{
    struct lx_channel *ch = own(channel);
    if (!ch)
        return -B_EINVAL;
    hal_lock(&portal.lock);
    bool busy = portal.busy[channel];
    portal.busy[channel] = true;
    hal_unlock(&portal.lock);
    if (busy)
        return -B_EAGAIN; /* another core is about it */
    int from = ch->from;
    int rc = receive(ch, channel);
    bool over = rc == 0 || rc == -B_EIO, shared = false;
    hal_lock(&portal.lock);
    portal.busy[channel] = false;
    if (rc == 0) {
        *n = ch->size;
        *cookie = ch->sender_cookie;
    }
    if (over) {
        unsigned word = atomic_load(&ch->phase);
        shared = phase_of(word) == LX_SHARED;
        atomic_store(&ch->phase, lx_phase_word(word >> 4, LX_FREE));
    }
    hal_unlock(&portal.lock);
    if (shared)
        lx_event_news(lx.job, from); /* the sender's buffer is free */
    return rc;
}

int hal_portal_revoke(int channel)
{
    struct lx_channel *ch = own(channel);
    if (!ch)
        return -B_EINVAL;
    hal_lock(&portal.lock);
    unsigned word = atomic_load(&ch->phase);
    int rc = -B_EAGAIN;
    if (phase_of(word) == LX_FREE)
        rc = -B_EINVAL;
    else if (phase_of(word) == LX_GRANTED &&
             atomic_compare_exchange_strong(&ch->phase, &word, lx_phase_word(word >> 4, LX_FREE)))
        rc = 0;
    hal_unlock(&portal.lock);
    return rc;
}

/* The oldest grant for me among the channels `set` of cluster `to`, checked against its record,
 * which the receiver may revoke and rewrite meanwhile. With the lock held. */
static bool grant_read(int to, int channel, struct hal_grant *g)
{
    struct lx_channel *ch = &lx_cluster(lx.job, to)->channel[channel];
    unsigned word = atomic_load(&ch->phase);
    *g = (struct hal_grant){.to = to,
                            .channel = channel,
                            .cookie = ch->cookie,
                            .serial = word >> 4,
                            .capacity = (size_t)ch->capacity};
    return phase_of(word) == LX_GRANTED && ch->from == lx.cluster &&
           atomic_load(&ch->phase) == word &&
           portal.taken[(size_t)to * LX_CHANNELS + (size_t)channel] != g->serial;
}

static bool older(uint32_t serial, uint32_t than)
{
    return ((serial - than) & LX_SERIAL_MASK) > LX_SERIAL_MASK / 2;
}

/* The oldest grant of cluster `to` for me; false if there is none. With the lock held. */
static bool grant_take(int to, struct hal_grant *g)
{
    struct lx_link *link = lx_link(lx.job, lx.cluster, to);
    bool found = false;
    for (uint64_t set = atomic_load(&link->granted); set != 0; set &= set - 1) {
        struct hal_grant candidate;
        int channel = __builtin_ctzll(set);
        if (!grant_read(to, channel, &candidate)) {
            /* Revoked, or taken. Out of the set; if it was granted again meanwhile, back in. */
            atomic_fetch_and(&link->granted, ~(1ULL << channel));
            if (!grant_read(to, channel, &candidate))
                continue;
            atomic_fetch_or(&link->granted, 1ULL << channel);
        }
        if (!found || older(candidate.serial, g->serial)) {
            *g = candidate;
            found = true;
        }
    }
    if (found)
        portal.taken[(size_t)to * LX_CHANNELS + (size_t)g->channel] = g->serial;
    return found;
}

int hal_portal_grant(struct hal_grant *g)
{
    atomic_ullong *grants = lx.self->grants;
    int rc = -B_EAGAIN;
    if (lx_set_next(grants, lx.clusters, 0) < 0)
        return -B_EAGAIN; /* as nearly always */
    hal_lock(&portal.lock);
    for (;;) {
        int to = lx_set_next(grants, lx.clusters, portal.next);
        if (to < 0)
            break;
        bool found = grant_take(to, g);
        if (!found) {
            lx_set_remove(grants, to);
            found = grant_take(to, g);
            if (found)
                lx_set_add(grants, to);
        }
        if (found) {
            portal.next = to + 1;
            rc = 0;
            break;
        }
    }
    hal_unlock(&portal.lock);
    return rc;
}

/* A free transfer, or NULL. With the lock held. */
static struct transfer *transfer_new(void)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (portal.sent[i].state == UNUSED)
            return &portal.sent[i];
    return NULL;
}

/* Moves what a transfer has to move. Returns 0 when its buffer is free. With the lock held. */
static int progress(struct transfer *t)
{
    struct lx_channel *ch = &lx_cluster(lx.job, t->to)->channel[t->channel];
    bool dead = lx_gone(t->to);
    unsigned word = atomic_load(&ch->phase);
    if (t->state == OVER || word >> 4 != t->serial || phase_of(word) == LX_FREE)
        return 0;
    if (phase_of(word) == LX_SHARED && lx_transfer_finished(ch))
        return atomic_load(&ch->broken) != 0 ? -B_EIO : 0;
    if (phase_of(word) == LX_BOUNCE) {
        if (lx_transfer_fill(t->to, t->channel, t->buf, t->n))
            lx_event_news(lx.job, t->to);
        if (atomic_load(&ch->filled) == t->n)
            return 0;
    }
    return dead ? -B_EIO : -B_EAGAIN;
}

int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle)
{
    (void)engine; /* there is no DMA engine: the calling core moves the data either way */
    if (g->to < 0 || g->to >= lx.clusters)
        return -B_EHOSTUNREACH;
    if (g->channel < 0 || g->channel >= LX_CHANNELS)
        return -B_EINVAL;
    if (n > g->capacity)
        return -B_EMSGSIZE;
    if (lx_gone(g->to))
        return -B_EIO;
    struct lx_channel *ch = &lx_cluster(lx.job, g->to)->channel[g->channel];
    hal_lock(&portal.lock);
    struct transfer *t = transfer_new();
    if (!t) {
        portal.starved = true;
        hal_unlock(&portal.lock);
        return -B_EAGAIN;
    }
    unsigned word = lx_phase_word(g->serial, LX_GRANTED);
    if (!atomic_compare_exchange_strong(&ch->phase, &word, lx_phase_word(g->serial, LX_BEGUN))) {
        hal_unlock(&portal.lock);
        return -B_ECANCELED;
    }
    *t = (struct transfer){.state = MOVING,
                           .serial = g->serial,
                           .to = g->to,
                           .channel = g->channel,
                           .buf = buf,
                           .n = n};
    *handle = (int)((g->serial << 8 | (uint32_t)(t - portal.sent)) & INT32_MAX);
    hal_unlock(&portal.lock);

    ch->size = n;
    ch->sender_cookie = cookie;
    enum lx_phase phase = lx_transfer_begin(g->to, g->channel, g->serial, buf, n);
    atomic_store(&ch->phase, lx_phase_word(g->serial, phase));
    lx_event_news(lx.job, g->to);
    if (phase == LX_SHARED) {
        lx_transfer_push(g->to, g->channel, g->serial, buf, n);
        lx_event_news(lx.job, g->to); /* the receiver may have done its part before */
    }
    hal_lock(&portal.lock);
    /* What is over is not looked at again: the channel may serve the next transfer by then. */
    int rc = phase == LX_DONE ? 0 : progress(t);
    t->state = rc == 0 ? OVER : MOVING;
    hal_unlock(&portal.lock);
    if (rc != -B_EAGAIN)
        lx_event_news(lx.job, lx.cluster);
    return 0;
}

int hal_portal_sent(int handle)
{
    struct transfer *t = &portal.sent[handle & (TRANSFERS - 1)];
    bool wanted = false;
    int rc = -B_EINVAL;
    hal_lock(&portal.lock);
    if (handle >= 0 && t->state != UNUSED &&
        (uint32_t)handle >> 8 == (t->serial & (INT32_MAX >> 8))) {
        rc = progress(t);
        if (rc != -B_EAGAIN) {
            t->state = UNUSED;
            wanted = portal.starved;
            portal.starved = false;
        }
    }
    hal_unlock(&portal.lock);
    if (wanted)
        lx_event_news(lx.job, lx.cluster);
    return rc;
}

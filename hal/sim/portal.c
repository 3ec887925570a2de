/* SPDX-License-Identifier: MIT */
/* Portals. A channel of the receiver is FREE, GRANTED, BUSY (data flows), DONE (completion not yet
 * taken) or LOST (the sender's cluster ended). The grant travels as a word of the control NoC, the
 * data on the data NoC; it is copied at the cycle in which its last byte arrives. The claim of a
 * channel by a put and its revocation by the receiver meet in no time: the handshake that decides
 * between them is not modelled. */
#include <hal/portal.h>

#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/work.h>

#include "noc.h"
#include "sim.h"

enum channel_state { FREE, GRANTED, BUSY, DONE, LOST };

struct sim_channel {
    enum channel_state state;
    int from;
    uint32_t serial; /* of the last grant */
    uint32_t cookie; /* the sender's, once DONE */
    void *buf;
    size_t capacity, got;
};

/* A grant on its way, or waiting to be taken. */
struct sim_grant {
    struct hal_grant grant;
    struct sim_pair *pair; /* receiver to sender */
    struct sim_grant *next;
};

/* A transfer of the sender, until its completion is taken. */
struct sim_put {
    struct sim_transfer transfer;
    struct sim_channel *channel;
    const void *buf;
    size_t n;
    uint32_t cookie, serial; /* of the data, of the grant */
    struct sim_core *core;   /* that is busy injecting, or NULL: by DMA */
    int result;              /* -B_EAGAIN until complete */
};

void sim_portal_create(void)
{
    for (int i = 0; i < sim.cluster_count; i++) {
        sim.clusters[i].channels =
            calloc(sim.machine.portal_channels, sizeof *sim.clusters[i].channels);
        if (!sim.clusters[i].channels)
            abort();
    }
}

static void grants_drop(struct sim_pair *p)
{
    while (p && p->grant_first) {
        struct sim_grant *g = p->grant_first;
        p->grant_first = g->next;
        free(g);
    }
}

void sim_portal_destroy(void)
{
    for (int i = 0; i < sim.cluster_count; i++) {
        struct sim_cluster *cl = &sim.clusters[i];
        for (int k = 0; k < cl->put_count; k++)
            free(cl->puts[k]);
        free(cl->puts);
        free(cl->channels);
        for (int k = 0; k < sim.cluster_count; k++)
            grants_drop(sim.pairs[(size_t)k * (size_t)sim.cluster_count + (size_t)i]);
    }
}

/* The ancestor's interface ----------------------------------------------------------------------
 * takes one transfer at a time, until the receiver has seen its end, and always carries a full
 * page. Whoever finds it taken tries again when it is free, with all others that did. */

static bool interface_take(struct sim_cluster *receiver, const struct sim_cluster *sender)
{
    if (!sim.machine.ancestor_portals)
        return true;
    if (receiver->receives) {
        sim_set_add(&receiver->waiting, sender->number);
        return false;
    }
    receiver->receives = true;
    return true;
}

static void interface_give(struct sim_cluster *receiver)
{
    if (!receiver->receives)
        return;
    receiver->receives = false;
    for (int sender; (sender = sim_set_next(&receiver->waiting)) >= 0;) {
        sim_set_remove(&receiver->waiting, sender);
        sim_raise_noc(&sim.clusters[sender]);
    }
}

static size_t packet_bytes(size_t n)
{
    size_t page = sim.machine.page_size;
    return sim.machine.ancestor_portals ? (n + page - 1) / page * page : n;
}

/* Memory of an I/O cluster -------------------------------------------------------------------- */

static bool in_ddr(const struct sim_cluster *cl)
{
    return sim.machine.io_ddr && cl->number >= (int)sim.machine.compute_clusters;
}

/* Thousandths of a cycle that the engine of a sender takes for a byte, 0: by its rate. */
static uint32_t byte_milli(const struct sim_cluster *sender, enum hal_portal_engine engine)
{
    const struct hal_noc *noc = &sim.machine.noc;
    uint32_t milli = engine == HAL_PORTAL_DMA ? noc->ddr_dma_milli : noc->ddr_core_milli;
    return in_ddr(sender) ? milli : 0;
}

/* Receiver ------------------------------------------------------------------------------------- */

static void grant_arrived(void *arg)
{
    struct sim_grant *g = arg;
    struct sim_pair *p = g->pair;
    sim_landed(p->from);
    if (!p->grant_first)
        p->grant_first = g;
    else
        p->grant_last->next = g;
    p->grant_last = g;
    sim_set_add(&sim.clusters[p->to].grants, p->from);
    sim_raise_noc(&sim.clusters[p->to]);
}

int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity)
{
    struct sim_cluster *cl = sim_cluster();
    if (channel < 0 || channel >= (int)sim.machine.portal_channels)
        return -B_EINVAL;
    if (from < 0 || from >= sim.cluster_count)
        return -B_EHOSTUNREACH;
    struct sim_channel *c = &cl->channels[channel];
    if (c->state != FREE)
        return -B_EBUSY;
    if (sim.clusters[from].gone)
        return -B_EIO;
    hal_work(sim.machine.cost.portal_setup + (in_ddr(cl) ? sim.machine.cost.ddr_receive : 0));
    struct sim_grant *g = malloc(sizeof *g);
    if (!g)
        abort();
    *c = (struct sim_channel){.state = sim.clusters[from].gone ? LOST : GRANTED,
                              .from = from,
                              .serial = c->serial + 1,
                              .buf = buf,
                              .capacity = capacity};
    sim.clusters[from].granted += c->state == GRANTED;
    *g = (struct sim_grant){.grant = {.to = cl->number,
                                      .channel = channel,
                                      .cookie = cookie,
                                      .serial = c->serial,
                                      .capacity = capacity},
                            .pair = sim_pair(cl->number, from)};
    sim_noc_word(cl->number, from, grant_arrived, g);
    return 0;
}

static struct sim_channel *channel_used(int channel)
{
    if (channel < 0 || channel >= (int)sim.machine.portal_channels)
        return NULL;
    struct sim_channel *c = &sim_cluster()->channels[channel];
    return c->state == FREE ? NULL : c;
}

int hal_portal_received(int channel, size_t *n, uint32_t *cookie)
{
    sim_poll();
    struct sim_channel *c = channel_used(channel);
    if (!c)
        return -B_EINVAL;
    if (c->state == LOST) {
        c->state = FREE;
        return -B_EIO;
    }
    if (c->state != DONE)
        return -B_EAGAIN;
    c->state = FREE;
    interface_give(sim_cluster());
    *n = c->got;
    *cookie = c->cookie;
    return 0;
}

int hal_portal_revoke(int channel)
{
    sim_poll();
    struct sim_channel *c = channel_used(channel);
    if (!c)
        return -B_EINVAL;
    if (c->state == BUSY || c->state == DONE)
        return -B_EAGAIN;
    sim.clusters[c->from].granted -= c->state == GRANTED;
    c->state = FREE; /* the grant, wherever it is, now has an old serial */
    c->serial++;
    return 0;
}

/* Sender --------------------------------------------------------------------------------------- */

int hal_portal_grant(struct hal_grant *grant)
{
    sim_poll();
    struct sim_cluster *cl = sim_cluster();
    int from = sim_set_next(&cl->grants);
    if (from < 0)
        return -B_EAGAIN;
    struct sim_pair *p = sim_pair(from, cl->number);
    struct sim_grant *g = p->grant_first;
    p->grant_first = g->next;
    if (!p->grant_first)
        sim_set_remove(&cl->grants, from);
    *grant = g->grant;
    free(g);
    return 0;
}

static void receive(struct sim_channel *c, const struct sim_put *put)
{
    c->got = put->n;
    c->cookie = put->cookie;
    if (c->got > 0)
        memcpy(c->buf, put->buf, c->got);
}

static void put_arrived(struct sim_transfer *t)
{
    struct sim_put *put = (struct sim_put *)t;
    struct sim_cluster *sender = &sim.clusters[t->from], *receiver = &sim.clusters[t->to];
    struct sim_channel *c = put->channel;
    put->result = receiver->ended ? -B_EIO : 0;
    bool expected = !receiver->ended && c->state == BUSY && c->serial == put->serial;
    if (expected && !sender->ended)
        receive(c, put);
    else
        interface_give(receiver);
    if (expected) {
        c->state = sender->ended ? LOST : DONE; /* its buffer may be no more */
        sim_raise_noc(receiver);
    }
    if (!put->core)
        sender->dma_used--;
    else if (put->core->state == SIM_SENDING)
        sim_wake(put->core);
    sim_raise_noc(sender);
}

/* An entry of the sender's table of transfers; the table grows with what its user leaves open. */
static int put_open(struct sim_cluster *cl)
{
    int handle = 0;
    while (handle < cl->put_count && cl->puts[handle])
        handle++;
    if (handle == cl->put_count) {
        int n = cl->put_count == 0 ? 16 : 2 * cl->put_count;
        cl->puts = realloc(cl->puts, (size_t)n * sizeof(struct sim_put *));
        if (!cl->puts)
            abort();
        memset(cl->puts + cl->put_count, 0, (size_t)(n - cl->put_count) * sizeof(struct sim_put *));
        cl->put_count = n;
    }
    cl->puts[handle] = calloc(1, sizeof(struct sim_put));
    if (!cl->puts[handle])
        abort();
    return handle;
}

static int put_check(const struct hal_grant *g, size_t n, const struct sim_channel *c)
{
    if (n > g->capacity)
        return -B_EMSGSIZE;
    if (sim.clusters[g->to].gone)
        return -B_EIO;
    return c->state == GRANTED && c->serial == g->serial ? 0 : -B_ECANCELED;
}

int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle)
{
    sim_poll();
    struct sim_cluster *cl = sim_cluster();
    if (g->to < 0 || g->to >= sim.cluster_count)
        return -B_EHOSTUNREACH;
    if (g->channel < 0 || g->channel >= (int)sim.machine.portal_channels)
        return -B_EINVAL;
    struct sim_channel *c = &sim.clusters[g->to].channels[g->channel];
    int e = put_check(g, n, c);
    if (e < 0)
        return e;
    const struct hal_noc *noc = &sim.machine.noc;
    if (engine == HAL_PORTAL_DMA) {
        if (cl->dma_used >= noc->dma_channels)
            return -B_EAGAIN;
    }
    if (!interface_take(&sim.clusters[g->to], cl))
        return -B_EAGAIN;
    /* Before time passes: another core may put meanwhile. */
    cl->dma_used += engine == HAL_PORTAL_DMA;
    hal_work(sim.machine.cost.portal_setup + (in_ddr(cl) ? sim.machine.cost.ddr_send : 0));
    e = put_check(g, n, c);
    if (e < 0) {
        cl->dma_used -= engine == HAL_PORTAL_DMA;
        interface_give(&sim.clusters[g->to]);
        return e;
    }
    c->state = BUSY;
    sim.clusters[c->from].granted--;
    *handle = put_open(cl);
    struct sim_put *put = cl->puts[*handle];
    *put = (struct sim_put){
        .transfer = {.route = sim_pair(cl->number, g->to)->route,
                     .bytes = packet_bytes(n),
                     .rate = engine == HAL_PORTAL_DMA ? noc->dma_bytes : noc->core_bytes,
                     .byte_milli = byte_milli(cl, engine),
                     .done = put_arrived,
                     .from = cl->number,
                     .to = g->to,
                     .what = engine == HAL_PORTAL_DMA ? "portal dma" : "portal core"},
        .channel = c,
        .buf = buf,
        .n = n,
        .cookie = cookie,
        .serial = g->serial,
        .core = engine == HAL_PORTAL_DMA ? NULL : sim.core,
        .result = -B_EAGAIN};
    sim_noc_send(&put->transfer, sim_copy_cycles(n));
    if (engine == HAL_PORTAL_CORE)
        sim_block(SIM_SENDING);
    return 0;
}

int hal_portal_sent(int handle)
{
    sim_poll();
    struct sim_cluster *cl = sim_cluster();
    if (handle < 0 || handle >= cl->put_count || !cl->puts[handle])
        return -B_EINVAL;
    int result = cl->puts[handle]->result;
    if (result != -B_EAGAIN) {
        free(cl->puts[handle]);
        cl->puts[handle] = NULL;
    }
    return result;
}

void sim_portal_cluster_gone(struct sim_cluster *cl)
{
    for (int i = 0; i < sim.cluster_count && cl->granted > 0; i++) {
        for (uint32_t k = 0; k < sim.machine.portal_channels; k++) {
            struct sim_channel *c = &sim.clusters[i].channels[k];
            if (c->from == cl->number && c->state == GRANTED) {
                c->state = LOST;
                cl->granted--;
            }
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* Data NoC, virtual cut-through: a transfer is cut into packets; each packet takes each stop of
 * its way for as long as its flits need to pass, in the order in which packets are injected. A
 * packet that finds a link taken waits in a buffer that is always large enough. */
#include "noc.h"
#include "sim.h"

#define PACKET_FLITS 64

/* Takes all stops for a packet injected now; returns when its last byte arrives. */
static uint64_t reserve(const struct sim_route *r, uint64_t flits, uint64_t inject_cycles)
{
    uint64_t at = sim.now;
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t *f = &sim_stops.free_at[r->stop[i]];
        at = *f > at ? *f : at;
        *f = at + flits;
        at += i == 0             ? sim_stops.noc->router_cycles
              : i + 1 < r->count ? sim_stops.noc->hop_cycles
                                 : 0;
    }
    return at + (inject_cycles > flits ? inject_cycles : flits);
}

static void inject(void *arg)
{
    struct sim_transfer *t = arg;
    uint64_t packet = (uint64_t)PACKET_FLITS * sim_stops.noc->link_bytes;
    uint64_t bytes = t->left < packet ? t->left : packet;
    uint64_t cycles = sim_transfer_cycles(t, bytes);
    uint64_t tail = reserve(t->route, sim_flits(sim_stops.noc, bytes), cycles);
    t->tail = tail > t->tail ? tail : t->tail;
    t->left -= bytes;
    if (t->left == 0) {
        sim_at(t->tail, sim_noc_arrived, t);
        return;
    }
    /* The next packet queues at the interface when this one has left it; packets of the cluster's
     * other transfers may come between. */
    uint64_t slow = sim.now + cycles, queue = sim_stops.free_at[t->route->stop[0]];
    sim_at(slow > queue ? slow : queue, inject, t);
}

static void send(struct sim_transfer *t)
{
    t->left = t->bytes;
    t->tail = 0;
    inject(t);
}

const struct sim_noc_model sim_noc_packet = {
    .name = "packet",
    .create = sim_stops_create,
    .send = send,
    .destroy = sim_stops_destroy,
};

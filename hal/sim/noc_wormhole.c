/* SPDX-License-Identifier: MIT */
/* Data NoC, wormhole: a message enters the network when its whole way is free, and holds every
 * stop of it, shifted by the latency of the hops before, until its last byte has passed. */
#include "noc.h"
#include "sim.h"

/* Cycles from the entry of a message to the arrival of its head at stop i of its route. */
static uint64_t head_at(uint32_t i)
{
    return i == 0 ? 0
                  : sim_stops.noc->router_cycles + (uint64_t)(i - 1) * sim_stops.noc->hop_cycles;
}

static void send(struct sim_transfer *t)
{
    const struct sim_route *r = t->route;
    uint64_t flits = sim_flits(sim_stops.noc, t->bytes), slow = sim_transfer_cycles(t, t->bytes);
    uint64_t cycles = slow > flits ? slow : flits, enter = sim.now;
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t head = head_at(i), f = sim_stops.free_at[r->stop[i]];
        enter = f > enter + head ? f - head : enter;
    }
    for (uint32_t i = 0; i < r->count; i++)
        sim_stops.free_at[r->stop[i]] = enter + head_at(i) + cycles;
    sim_at(enter + head_at(r->count - 1) + cycles, sim_noc_arrived, t);
}

const struct sim_noc_model sim_noc_wormhole = {
    .name = "wormhole",
    .create = sim_stops_create,
    .send = send,
    .destroy = sim_stops_destroy,
};

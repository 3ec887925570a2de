/* SPDX-License-Identifier: MIT */
/* What all transfers have in common, the choice of the data NoC's model, and the control NoC. */
#include "noc.h"

#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "trace.h"

static const struct sim_noc_model *const models[] = {&sim_noc_fluid, &sim_noc_packet,
                                                     &sim_noc_wormhole};
static const struct sim_noc_model *model;
static uint64_t
    *word_free; /* control NoC: per stop, the cycle in which it can take the next word */
struct sim_noc_use sim_noc_use;

const struct sim_noc_model *sim_noc_find(const char *name, const char **names)
{
    *names = "fluid, packet, wormhole";
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

void sim_noc_create(const struct sim_noc_model *chosen)
{
    const struct hal_noc *noc = &sim.machine.noc;
    model = chosen;
    free(sim_noc_use.flits);
    sim_noc_use = (struct sim_noc_use){.flits = calloc(sim_noc_links(noc), sizeof(uint64_t))};
    word_free = calloc(sim_noc_stops(noc), sizeof *word_free);
    if (!sim_noc_use.flits || !word_free)
        abort();
    model->create(noc);
}

/* The counts stay: results are asked for after the run. */
void sim_noc_destroy(void)
{
    model->destroy();
    free(word_free);
    word_free = NULL;
}

void sim_noc_arrived(void *arg)
{
    struct sim_transfer *t = arg;
    int from = t->from; /* its owner may use it again in done */
    if (sim_trace_active)
        sim_trace_sent(t);
    t->done(t);
    sim_landed(from);
}

void sim_noc_send(struct sim_transfer *t, uint64_t local)
{
    if (sim_trace_active)
        sim_trace_begun();
    t->begun = sim.now;
    sim_flies(t->from);
    if (t->from == t->to) {
        sim_at(sim.now + local, sim_noc_arrived, t);
        return;
    }
    uint64_t flits = sim_flits(&sim.machine.noc, t->bytes);
    sim_noc_use.transfers++;
    sim_noc_use.bytes += t->bytes;
    sim_noc_use.flit_hops += flits * t->route->hops;
    sim_noc_use.flit_nis += 2 * flits;
    for (uint32_t i = 1; i <= t->route->hops; i++)
        sim_noc_use.flits[t->route->stop[i]] += flits;
    model->send(t);
}

void sim_noc_word(int from, int to, void (*deliver)(void *arg), void *arg)
{
    const struct hal_noc *noc = &sim.machine.noc;
    sim_flies(from);
    if (from == to) {
        sim_at(sim.now + 1, deliver, arg);
        return;
    }
    const struct sim_route *r = sim_pair(from, to)->route;
    sim_noc_use.words++;
    sim_noc_use.flit_hops += r->hops;
    sim_noc_use.flit_nis += 2;
    /* It reaches stop i one hop after stop i-1 unless another word is in the way. */
    uint64_t at = sim.now;
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t *free_at = &word_free[r->stop[i]];
        at = *free_at > at ? *free_at : at;
        *free_at = at + 1;
        at += i == 0 ? noc->router_cycles : i + 1 < r->count ? noc->hop_cycles : noc->cnoc_cycles;
    }
    sim_at(at, deliver, arg);
}

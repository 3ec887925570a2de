/* SPDX-License-Identifier: MIT */
/* Pairs of clusters, and sets of clusters. */
#include "sim.h"

#include <stdlib.h>

#include "bits.h"
#include "noc.h"

void sim_set_add(struct sim_set *s, int cluster)
{
    sim_bits_add(&s->words, s->bits, (unsigned)cluster);
}

void sim_set_remove(struct sim_set *s, int cluster)
{
    sim_bits_remove(&s->words, s->bits, (unsigned)cluster);
}

int sim_set_next(struct sim_set *s)
{
    if (s->words == 0)
        return -1;
    int found = sim_bits_from(s->words, s->bits, (unsigned)s->next);
    s->next = (found + 1) % sim.cluster_count;
    return found;
}

struct sim_pair *sim_pair(int from, int to)
{
    struct sim_pair **p = &sim.pairs[(size_t)from * (size_t)sim.cluster_count + (size_t)to];
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p)
            abort();
        (*p)->from = from;
        (*p)->to = to;
        (*p)->route = sim_route_create(&sim.machine.noc, (uint32_t)from, (uint32_t)to);
    }
    return *p;
}

void sim_pairs_destroy(void)
{
    size_t n = (size_t)sim.cluster_count * (size_t)sim.cluster_count;
    for (size_t i = 0; i < n; i++) {
        struct sim_pair *p = sim.pairs[i];
        if (p) {
            free(p->route);
            free(p->mail);
            free(p->words);
            free(p);
        }
    }
    free(sim.pairs);
    sim.pairs = NULL;
}

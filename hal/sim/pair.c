/* SPDX-License-Identifier: MIT */
/* Pairs of clusters, and sets of clusters. */
#include "sim.h"

#include <stdlib.h>

#include "noc.h"

void sim_set_add(struct sim_set *s, int cluster)
{
    s->bits[cluster / 64] |= UINT64_C(1) << (cluster % 64);
}

void sim_set_remove(struct sim_set *s, int cluster)
{
    s->bits[cluster / 64] &= ~(UINT64_C(1) << (cluster % 64));
}

/* The first member in [from, end), or -1. */
static int first_between(const struct sim_set *s, int from, int end)
{
    for (int word = from / 64; word * 64 < end; word++) {
        uint64_t bits = s->bits[word];
        if (word == from / 64) {
            bits &= UINT64_MAX << (from % 64);
        }
        if (bits != 0) {
            int found = word * 64 + __builtin_ctzll(bits);
            return found < end ? found : -1;
        }
    }
    return -1;
}

int sim_set_next(struct sim_set *s)
{
    int found = first_between(s, s->next, sim.cluster_count);
    if (found < 0) {
        found = first_between(s, 0, s->next);
    }
    if (found >= 0) {
        s->next = (found + 1) % sim.cluster_count;
    }
    return found;
}

struct sim_pair *sim_pair(int from, int to)
{
    struct sim_pair **p = &sim.pairs[(size_t)from * (size_t)sim.cluster_count + (size_t)to];
    if (*p == NULL) {
        *p = calloc(1, sizeof **p);
        if (*p == NULL) {
            abort();
        }
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
        if (p != NULL) {
            free(p->route);
            free(p->mail);
            free(p->words);
            free(p);
        }
    }
    free(sim.pairs);
    sim.pairs = NULL;
}

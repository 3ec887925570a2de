/* SPDX-License-Identifier: MIT */
/* The simulated networks: routes on the torus, the data NoC behind a model chosen by name, and the
 * control NoC. Only hal/sim includes this. */
#ifndef SIM_NOC_H
#define SIM_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hal/machine.h>

/* A stop is a resource that transfers share: a link, the injection or the ejection side of a
 * network interface. Link d of node n is stop 4 n + d, d being 0: x+1, 1: x-1, 2: y+1, 3: y-1. */
struct sim_route {
    uint32_t hops;  /* links */
    uint32_t count; /* stops: injection, links, ejection */
    uint32_t stop[];
};

static inline uint32_t sim_noc_nodes(const struct hal_noc *noc)
{
    return noc->torus_x * noc->torus_y;
}

static inline uint32_t sim_noc_links(const struct hal_noc *noc)
{
    return 4 * sim_noc_nodes(noc);
}

static inline uint32_t sim_noc_stops(const struct hal_noc *noc)
{
    return 6 * sim_noc_nodes(noc);
}

/* The links from node `from` to node `to`: first along x, then along y, each the shorter way round,
 * upwards when both are equal. Writes at most torus_x / 2 + torus_y / 2 links, returns how many. */
uint32_t sim_route_links(const struct hal_noc *noc, uint32_t from, uint32_t to, uint32_t *link);

/* The same as a route with injection and ejection; freed by the caller. */
struct sim_route *sim_route_create(const struct hal_noc *noc, uint32_t from, uint32_t to);

/* A transfer on the data NoC. The owner keeps it alive and unchanged until done is called. */
struct sim_transfer {
    const struct sim_route *route;
    uint64_t bytes;                       /* may be 0 */
    uint32_t rate;                        /* bytes per cycle at which its sender injects, or */
    uint32_t byte_milli;                  /* thousandths of a cycle for each; 0: by rate */
    void (*done)(struct sim_transfer *t); /* at the cycle in which the last byte arrives */
    uint64_t begun;                       /* cycle of sim_noc_send */
    int from, to;
    const char *what;    /* for the trace */
    uint64_t left, tail; /* packet: bytes not yet injected, arrival of the last one that was */
};

static inline double sim_transfer_rate(const struct sim_transfer *t)
{
    return t->byte_milli > 0 ? 1000.0 / t->byte_milli : (double)t->rate;
}

/* Cycles that its sender takes to inject n bytes. */
static inline uint64_t sim_transfer_cycles(const struct sim_transfer *t, uint64_t n)
{
    return t->byte_milli > 0 ? (n * t->byte_milli + 999) / 1000 : (n + t->rate - 1) / t->rate;
}

struct sim_noc_model {
    const char *name;
    void (*create)(const struct hal_noc *noc);
    void (*send)(struct sim_transfer *t);
    void (*destroy)(void);
};

extern const struct sim_noc_model sim_noc_fluid, sim_noc_packet, sim_noc_wormhole;

/* For models that reserve stops: the cycle from which each is free (noc_stops.c). */
extern struct sim_stops {
    const struct hal_noc *noc;
    uint64_t *free_at;
} sim_stops;
void sim_stops_create(const struct hal_noc *noc);
void sim_stops_destroy(void);

/* The model of that name, NULL if there is none; *names lists those that exist. */
const struct sim_noc_model *sim_noc_find(const char *name, const char **names);

void sim_noc_create(const struct sim_noc_model *model);
void sim_noc_destroy(void);

/* Starts a transfer from cluster t->from to t->to. Inside a cluster it takes `local` cycles. */
void sim_noc_send(struct sim_transfer *t, uint64_t local);

/* For the models: the last byte of t has arrived. arg is the transfer. */
void sim_noc_arrived(void *arg);

/* Sends one word over the control NoC: deliver(arg) at its arrival, in order per pair of clusters;
 * it must call sim_landed(from). */
void sim_noc_word(int from, int to, void (*deliver)(void *arg), void *arg);

/* What has crossed the networks so far. flits[link] counts the data NoC. */
struct sim_noc_use {
    uint64_t flit_hops, flit_nis; /* both networks */
    uint64_t transfers, bytes, words;
    uint64_t *flits;
};
extern struct sim_noc_use sim_noc_use;

static inline uint64_t sim_flits(const struct hal_noc *noc, uint64_t bytes)
{
    return bytes == 0 ? 1 : (bytes + noc->link_bytes - 1) / noc->link_bytes;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Max-min fair sharing, solved again only where a change can be felt. Knows nothing of time. */
#ifndef SIM_FLUID_H
#define SIM_FLUID_H

#include <stdbool.h>
#include <stdint.h>

struct sim_route;
struct sim_transfer;

#define FLUID_NO_NECK UINT32_MAX /* limited by its own rate */

struct fluid_flow {
    /* noc_fluid.c */
    struct sim_transfer *transfer;
    struct fluid_flow *next;
    double remaining, as_of, ends; /* bytes left at cycle as_of; end at the present speed */
    uint32_t place;
    /* fluid_share.c */
    uint64_t serial;
    const struct sim_route *route;
    double rate;   /* most that its sender injects, bytes per cycle */
    double speed;  /* present, 0 until first solved */
    uint32_t neck; /* the stop that limits it, or FLUID_NO_NECK */
    double fresh;  /* the same two, as being solved */
    uint32_t fresh_neck;
    uint64_t joined; /* round in which it is being solved */
    bool fixed;
    uint32_t crossing[]; /* its entry in the list of each stop of its route */
};

struct fluid_crossing {
    struct fluid_flow *flow;
    uint32_t leg; /* which stop of its route */
};

struct fluid_stop {
    struct fluid_crossing *list;
    uint32_t count, capacity;
    uint32_t necks; /* flows that it limits */
    double load;    /* sum of speeds */
    bool dirty;     /* a flow of it ended since the last solution */
    /* in a round: */
    uint64_t joined;  /* round in which a flow of it is being solved */
    uint32_t members; /* its flows being solved */
    double room;      /* for them */
    uint32_t open;    /* of them, not yet fixed */
    double left;      /* of the room */
    double level;     /* speed that it imposes, HUGE_VAL none */
};

struct fluid {
    struct fluid_stop *stops;
    uint32_t stop_count, legs; /* legs: most stops of a route */
    double bandwidth;          /* of each stop */
    uint64_t serial;
    uint64_t round;
    struct fluid_flow **flows; /* being solved, in the order in which they joined */
    uint32_t flow_count, flow_capacity;
    uint32_t *touched; /* stops of those */
    uint32_t touched_count;
    struct fluid_flow **added; /* since the last solution */
    uint32_t added_count, added_capacity;
    uint32_t *dirty;
    uint32_t dirty_count;
    uint64_t solved; /* flows, in all solutions */
};

void fluid_create(struct fluid *n, uint32_t stops, uint32_t legs, double bandwidth);
void fluid_destroy(struct fluid *n);

/* Memory for a flow of this net; the caller frees it. */
struct fluid_flow *fluid_flow_create(const struct fluid *n);

/* A flow begins, respectively ends; it may end only when it has been solved once. Speeds are wrong
 * until fluid_solve. */
void fluid_add(struct fluid *n, struct fluid_flow *f, const struct sim_route *route, double rate);
void fluid_remove(struct fluid *n, struct fluid_flow *f);

/* Computes the max-min fair speeds and calls change(f, speed) for each flow whose speed is another
 * one; change must not touch `speed` of other flows, and sets f->speed. */
void fluid_solve(struct fluid *n, void (*change)(struct fluid_flow *f, double speed));

#endif

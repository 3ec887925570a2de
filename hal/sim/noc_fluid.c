/* SPDX-License-Identifier: MIT */
/* Data NoC, fluid: transfers are flows that share every stop of their routes max-min fairly. A
 * flow pays the latency of its route first, then flows at one speed until a flow begins or ends
 * somewhere. Flows meet no packets, no arbitration, no full buffers. The same model as SimGrid's
 * CM02 with equal weights, and as Kalray's rate computation for regulated traffic.
 *
 * Flows end at any instant, also between two cycles, and the others' speeds change at that
 * instant; a transfer is complete at the cycle after. The next flow to end is on top of a heap,
 * and one event of the queue is set for it. The speeds come from fluid_share.c. */
#include <math.h>
#include <stdlib.h>

#include "fluid.h"
#include "noc.h"
#include "sim.h"

#define NO_TICK UINT64_MAX
#define INSTANT 1e-9 /* cycles */

static struct fluid net;
static struct fluid_flow **ends; /* heap: the flow that ends first on top */
static uint32_t end_count, end_capacity;
static uint64_t tick_at;
static double present;           /* the instant, in cycles, that is being solved */
static struct fluid_flow *begun; /* in this cycle, not yet sharing */
static struct fluid_flow *spare; /* flows to be used again */

static bool sooner(const struct fluid_flow *a, const struct fluid_flow *b)
{
    return a->ends < b->ends || (a->ends == b->ends && a->serial < b->serial);
}

static void put(uint32_t i, struct fluid_flow *f)
{
    ends[i] = f;
    f->place = i;
}

static void rise(uint32_t i, struct fluid_flow *f)
{
    while (i > 0 && sooner(f, ends[(i - 1) / 2])) {
        put(i, ends[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(i, f);
}

static void settle(uint32_t i, struct fluid_flow *f)
{
    if (i > 0 && sooner(f, ends[(i - 1) / 2])) {
        rise(i, f);
        return;
    }
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < end_count && sooner(ends[child + 1], ends[child]))
            child++;
        if (child >= end_count || !sooner(ends[child], f))
            break;
        put(i, ends[child]);
        i = child;
    }
    put(i, f);
}

static void ends_add(struct fluid_flow *f)
{
    if (end_count == end_capacity) {
        end_capacity = end_capacity == 0 ? 256 : 2 * end_capacity;
        ends = realloc(ends, end_capacity * sizeof(struct fluid_flow *));
        if (!ends)
            abort();
    }
    rise(end_count++, f);
}

static void ends_remove(struct fluid_flow *f)
{
    struct fluid_flow *last = ends[--end_count];
    if (last != f)
        settle(f->place, last);
}

static void tick(void *arg);

static void tick_arm(void)
{
    if (end_count == 0)
        return;
    double at = ends[0]->ends - INSTANT;
    uint64_t cycle = sim.now;
    if (at > (double)sim.now) {
        cycle = (uint64_t)at;
        cycle += (double)cycle < at; /* rounded up */
    }
    if (cycle < tick_at) {
        tick_at = cycle;
        sim_at(cycle, tick, NULL);
    }
}

/* A flow's speed has changed: from now on it ends at another time. */
static void respeed(struct fluid_flow *f, double speed)
{
    f->remaining -= f->speed * (present - f->as_of);
    f->as_of = present;
    f->speed = speed;
    f->ends = present + f->remaining / speed;
    settle(f->place, f);
}

static void solve(double at)
{
    present = at;
    fluid_solve(&net, respeed);
}

/* Ends all flows that end at the same instant as the first one. */
static void end_next(void)
{
    double at = ends[0]->ends;
    do {
        struct fluid_flow *f = ends[0];
        struct sim_transfer *t = f->transfer;
        ends_remove(f);
        fluid_remove(&net, f);
        f->next = spare;
        spare = f;
        sim_noc_arrived(t);
    } while (end_count > 0 && ends[0]->ends <= at + INSTANT);
    solve(at);
}

static void tick(void *arg)
{
    (void)arg;
    if (tick_at == sim.now)
        tick_at = NO_TICK;
    while (end_count > 0 && ends[0]->ends <= (double)sim.now + INSTANT)
        end_next();
    tick_arm();
}

/* All that begins in this cycle begins together, after what ended in it or before. */
static void begin_together(void *arg)
{
    (void)arg;
    while (begun) {
        struct fluid_flow *f = begun;
        begun = f->next;
        fluid_add(&net, f, f->transfer->route, sim_transfer_rate(f->transfer));
        ends_add(f);
    }
    solve((double)sim.now);
    tick_arm();
}

static void begin(void *arg)
{
    struct sim_transfer *t = arg;
    if (t->bytes == 0) {
        sim_noc_arrived(t);
        return;
    }
    struct fluid_flow *f = spare;
    if (f)
        spare = f->next;
    else
        f = fluid_flow_create(&net);
    f->transfer = t;
    f->remaining = (double)t->bytes;
    f->as_of = (double)sim.now;
    f->ends = HUGE_VAL;
    if (!begun)
        sim_at_end_of_cycle(begin_together, NULL);
    f->next = begun;
    begun = f;
}

static void send(struct sim_transfer *t)
{
    const struct hal_noc *noc = &sim.machine.noc;
    sim_at(sim.now + noc->router_cycles + (uint64_t)t->route->hops * noc->hop_cycles, begin, t);
}

static void create(const struct hal_noc *noc)
{
    fluid_create(&net, sim_noc_stops(noc), noc->torus_x / 2 + noc->torus_y / 2 + 2,
                 (double)noc->link_bytes);
    tick_at = NO_TICK;
}

static void free_list(struct fluid_flow **list)
{
    while (*list) {
        struct fluid_flow *f = *list;
        *list = f->next;
        free(f);
    }
}

static void destroy(void)
{
    while (end_count > 0)
        free(ends[--end_count]);
    free_list(&spare);
    free_list(&begun);
    free(ends);
    ends = NULL;
    end_capacity = 0;
    fluid_destroy(&net);
}

const struct sim_noc_model sim_noc_fluid = {
    .name = "fluid",
    .create = create,
    .send = send,
    .destroy = destroy,
};

/* SPDX-License-Identifier: MIT */
/* Max-min fair sharing by progressive filling, of as few flows as possible.
 *
 * A set of speeds is max-min fair when each flow runs at its own rate or has a neck: a full stop
 * on which no flow is faster. When flows begin or end, the flows that certainly change are solved
 * with all others held at their speeds; then every stop that those cross is checked, and a held
 * flow joins them when its neck is no neck any more, or when it is faster than a neck of theirs
 * allows. That is repeated until nobody joins; then every flow has its neck, and there is only one
 * such set of speeds, so it is the one that solving all flows would give. */
#include "fluid.h"

#include <math.h>
#include <stdlib.h>

#include "noc.h"

#define CLOSE 1e-9 /* bytes per cycle; speeds and loads nearer than that are the same */

void fluid_create(struct fluid *n, uint32_t stops, uint32_t legs, double bandwidth)
{
    *n = (struct fluid){.stop_count = stops, .legs = legs, .bandwidth = bandwidth};
    n->stops = calloc(stops, sizeof *n->stops);
    n->touched = calloc(stops, sizeof *n->touched);
    n->dirty = calloc(stops, sizeof *n->dirty);
    if (!n->stops || !n->touched || !n->dirty)
        abort();
}

void fluid_destroy(struct fluid *n)
{
    for (uint32_t i = 0; i < n->stop_count; i++)
        free(n->stops[i].list);
    free(n->stops);
    free(n->touched);
    free(n->flows);
    free(n->added);
    free(n->dirty);
}

struct fluid_flow *fluid_flow_create(const struct fluid *n)
{
    struct fluid_flow *f = calloc(1, sizeof *f + n->legs * sizeof f->crossing[0]);
    if (!f)
        abort();
    return f;
}

/* Room for one more in a list of flows. */
static struct fluid_flow **grow(struct fluid_flow **list, uint32_t count, uint32_t *capacity)
{
    if (count < *capacity)
        return list;
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    list = realloc(list, *capacity * sizeof(struct fluid_flow *));
    if (!list)
        abort();
    return list;
}

/* Takes f into the flows to be solved. */
static void join(struct fluid *n, struct fluid_flow *f)
{
    if (f->joined == n->round)
        return;
    f->joined = n->round;
    f->fresh = 0; /* until the next pass */
    n->flows = grow(n->flows, n->flow_count, &n->flow_capacity);
    n->flows[n->flow_count++] = f;
    for (uint32_t i = 0; i < f->route->count; i++) {
        struct fluid_stop *s = &n->stops[f->route->stop[i]];
        if (s->joined != n->round) {
            s->joined = n->round;
            s->members = 0;
            s->room = n->bandwidth - s->load;
            n->touched[n->touched_count++] = f->route->stop[i];
        }
        s->members++;
        s->room += f->speed;
    }
}

static void list_add(struct fluid_stop *s, struct fluid_flow *f, uint32_t leg)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity == 0 ? 16 : 2 * s->capacity;
        s->list = realloc(s->list, s->capacity * sizeof *s->list);
        if (!s->list)
            abort();
    }
    f->crossing[leg] = s->count;
    s->list[s->count++] = (struct fluid_crossing){f, leg};
}

static void list_remove(struct fluid_stop *s, uint32_t entry)
{
    struct fluid_crossing last = s->list[--s->count];
    s->list[entry] = last;
    last.flow->crossing[last.leg] = entry;
}

void fluid_add(struct fluid *n, struct fluid_flow *f, const struct sim_route *route, double rate)
{
    f->serial = n->serial++;
    f->route = route;
    f->rate = rate;
    f->speed = 0;
    f->neck = FLUID_NO_NECK;
    f->joined = n->round;
    for (uint32_t i = 0; i < route->count; i++)
        list_add(&n->stops[route->stop[i]], f, i);
    n->added = grow(n->added, n->added_count, &n->added_capacity);
    n->added[n->added_count++] = f;
}

void fluid_remove(struct fluid *n, struct fluid_flow *f)
{
    if (f->neck != FLUID_NO_NECK)
        n->stops[f->neck].necks--;
    for (uint32_t i = 0; i < f->route->count; i++) {
        struct fluid_stop *s = &n->stops[f->route->stop[i]];
        list_remove(s, f->crossing[i]);
        s->load = s->count == 0 ? 0 : s->load - f->speed; /* no rounding error outlives a flow */
        if (!s->dirty) {
            s->dirty = true;
            n->dirty[n->dirty_count++] = f->route->stop[i];
        }
    }
}

/* Joins the flows that stop `id` limits. */
static void join_necked(struct fluid *n, uint32_t id)
{
    struct fluid_stop *s = &n->stops[id];
    for (uint32_t i = 0; s->necks > 0 && i < s->count; i++)
        if (s->list[i].flow->neck == id)
            join(n, s->list[i].flow);
}

/* The flows that certainly change, and for certain speed those that probably do. */
static void join_first(struct fluid *n)
{
    n->round++;
    n->flow_count = n->touched_count = 0;
    for (uint32_t i = 0; i < n->dirty_count; i++) {
        n->stops[n->dirty[i]].dirty = false;
        join_necked(n, n->dirty[i]);
    }
    for (uint32_t i = 0; i < n->added_count; i++) {
        struct fluid_flow *f = n->added[i];
        join(n, f);
        for (uint32_t k = 0; k < f->route->count; k++)
            join_necked(n, f->route->stop[k]);
    }
    n->dirty_count = n->added_count = 0;
}

static void fix(struct fluid *n, struct fluid_flow *f, double speed, uint32_t neck)
{
    f->fixed = true;
    f->fresh = speed;
    f->fresh_neck = neck;
    for (uint32_t i = 0; i < f->route->count; i++) {
        struct fluid_stop *s = &n->stops[f->route->stop[i]];
        s->open--;
        s->left -= speed;
    }
}

/* The stop that gives its open flows least; its share is *level. */
static uint32_t tightest(const struct fluid *n, double *level)
{
    uint32_t found = FLUID_NO_NECK;
    *level = HUGE_VAL;
    for (uint32_t i = 0; i < n->touched_count; i++) {
        const struct fluid_stop *s = &n->stops[n->touched[i]];
        if (s->open > 0 && s->left < *level * s->open) {
            *level = s->left / s->open;
            found = n->touched[i];
        }
    }
    *level = *level < 0 ? 0 : *level;
    return found;
}

/* Fixes the open flows whose own rate is at most `level`; true if there was one. *slowest becomes
 * the least rate of those that stay open. */
static bool fix_slow(struct fluid *n, double level, double *slowest)
{
    bool any = false;
    *slowest = HUGE_VAL;
    for (uint32_t i = 0; i < n->flow_count; i++) {
        struct fluid_flow *f = n->flows[i];
        if (f->fixed)
            continue;
        if (f->rate <= level) {
            fix(n, f, f->rate, FLUID_NO_NECK);
            any = true;
        } else if (f->rate < *slowest) {
            *slowest = f->rate;
        }
    }
    return any;
}

/* Progressive filling of the joined flows; the others hold their speeds. */
static void fill(struct fluid *n)
{
    for (uint32_t i = 0; i < n->touched_count; i++) {
        struct fluid_stop *s = &n->stops[n->touched[i]];
        s->left = s->room;
        s->open = s->members;
        s->level = HUGE_VAL;
    }
    double slowest = HUGE_VAL;
    for (uint32_t i = 0; i < n->flow_count; i++) {
        n->flows[i]->fixed = false;
        slowest = n->flows[i]->rate < slowest ? n->flows[i]->rate : slowest;
    }
    double level;
    for (uint32_t id = tightest(n, &level); id != FLUID_NO_NECK; id = tightest(n, &level)) {
        if (slowest <= level && fix_slow(n, level, &slowest))
            continue;
        struct fluid_stop *s = &n->stops[id];
        s->level = level;
        for (uint32_t i = 0; s->open > 0 && i < s->count; i++) {
            struct fluid_flow *f = s->list[i].flow;
            if (f->joined == n->round && !f->fixed)
                fix(n, f, level, id);
        }
    }
}

static double fastest_joined(const struct fluid *n, const struct fluid_stop *s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct fluid_flow *f = s->list[i].flow;
        if (f->joined == n->round && f->fresh > most)
            most = f->fresh;
    }
    return most;
}

/* Joins the held flows of stop `id` that have lost their neck there, or that are faster than it now
 * allows. */
static void check(struct fluid *n, uint32_t id)
{
    struct fluid_stop *s = &n->stops[id];
    if ((s->necks == 0 && s->level == HUGE_VAL) || s->members == s->count)
        return;
    bool full = s->left <= CLOSE;
    double fastest = s->necks > 0 && full ? fastest_joined(n, s) : 0;
    for (uint32_t i = 0; i < s->count; i++) {
        struct fluid_flow *f = s->list[i].flow;
        if (f->joined == n->round)
            continue;
        bool lost = f->neck == id && (!full || fastest > f->speed + CLOSE);
        if (lost || f->speed > s->level + CLOSE)
            join(n, f);
    }
}

static void apply(struct fluid *n, void (*change)(struct fluid_flow *f, double speed))
{
    for (uint32_t i = 0; i < n->flow_count; i++) {
        struct fluid_flow *f = n->flows[i];
        if (f->neck != f->fresh_neck) {
            if (f->neck != FLUID_NO_NECK)
                n->stops[f->neck].necks--;
            if (f->fresh_neck != FLUID_NO_NECK)
                n->stops[f->fresh_neck].necks++;
            f->neck = f->fresh_neck;
        }
        if (fabs(f->fresh - f->speed) > 1e-3 * CLOSE) {
            for (uint32_t k = 0; k < f->route->count; k++)
                n->stops[f->route->stop[k]].load += f->fresh - f->speed;
            change(f, f->fresh);
        }
    }
}

void fluid_solve(struct fluid *n, void (*change)(struct fluid_flow *f, double speed))
{
    join_first(n);
    if (n->flow_count == 0)
        return;
    uint32_t before;
    do {
        before = n->flow_count;
        fill(n);
        uint32_t stops = n->touched_count; /* those of flows that join now wait for the next pass */
        for (uint32_t i = 0; i < stops; i++)
            check(n, n->touched[i]);
    } while (n->flow_count > before);
    n->solved += n->flow_count;
    apply(n, change);
}

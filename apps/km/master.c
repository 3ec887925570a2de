/* SPDX-License-Identifier: MIT */
/* The global master. */
#include <stdio.h>
#include <string.h>

#include "km.h"

/* The centroids to begin with are points as far apart in number as can be: keeps those that are
 * among n points from number `at` on. */
static void begin_with(struct km_rank *r, long at, const coordinate *points, long n)
{
    const struct shape *s = &r->plan.shape;

    for (int c = 0; c < s->centroids; c++) {
        long wanted = team_share(r->plan.points, c, s->centroids);
        if (wanted >= at && wanted < at + n)
            memcpy(r->centroids + c * s->dimensions, points + (wanted - at) * s->dimensions,
                   points_bytes(s, 1));
    }
}

/* Reads all points, keeps the first centroids, and deals the points. After a failure the crew still
 * gets as many as it waits for. */
static void deal_points(struct team *t, struct km_rank *r, struct km_points *p)
{
    for (long at = 0; at < r->count; at += KM_PIECE) {
        long n = r->count - at < KM_PIECE ? r->count - at : KM_PIECE;
        coordinate *to = t->crew ? r->points : r->points + at * r->plan.shape.dimensions;
        if (!p->why[0])
            p->source->read(p, to, n);
        begin_with(r, at, to, n);
        km_pass_on(t, r, at, to, n);
    }
}

/* Until no centroid moves; how many passes that took. */
static int iterate(struct team *t, struct km_rank *r, int most)
{
    int passes = 0, go = 1;

    while (go && passes < most) {
        team_broadcast(t, &go, sizeof go);
        km_pass(t, r);
        passes++;
        go = means_update(&r->plan.shape, r->centroids, r->sum) > 0;
        team_work(t, (double)tally_values(&r->plan.shape) * KM_MOVE_CYCLES);
    }
    go = 0;
    team_broadcast(t, &go, sizeof go);
    return passes;
}

struct labelled {
    struct km_points *points;
    const struct km_rank *rank;
};

static int take_labels(void *arg, const uint8_t *labels, long n)
{
    struct labelled *l = arg;

    return l->points->source->label(l->points, l->rank->centroids, labels, n);
}

static void finish_labels(struct team *t, struct km_rank *r, struct km_points *p)
{
    struct labelled l = {p, r};
    bool failed = p->why[0] || p->source->begin_labels(p);

    if (km_labels(t, r, failed ? NULL : take_labels, &l) == 0 && !failed)
        p->source->end_labels(p);
}

static void report(const struct team *t, const struct km_rank *r, const struct km_options *o,
                   int passes, double seconds)
{
    printf(
        "km: %ld points of %d dimensions, %d centroids, %d passes, mean square distance %.3f%s%s; "
        "%s, %d ranks in %d clusters; %.6f s\n",
        r->plan.points, r->plan.shape.dimensions, r->plan.shape.centroids, passes,
        (double)r->sum->spread / (double)r->plan.points, o->check ? ", as a serial run" : "",
        o->published ? ", the published way" : "", team_form_name, t->ranks, t->clusters, seconds);
}

static void run(struct team *t, struct km_rank *r, struct km_points *p)
{
    const struct km_options *o = p->options;

    r->count = r->plan.points;
    km_open(t, r);
    deal_points(t, r, p);
    team_barrier(t);
    double begin = team_time(t);
    int passes = iterate(t, r, o->iterations);
    double seconds = team_time(t) - begin;
    if (r->plan.labels)
        finish_labels(t, r, p);
    if (!p->why[0] && (!o->check || km_check(r, p, passes) == 0))
        report(t, r, o, passes, seconds);
    km_close(t, r);
}

/* The plan for the points of p. 0, or -1 with p->why set. */
static int prepare(struct km_plan *plan, struct km_points *p)
{
    const struct km_options *o = p->options;

    if (p->source->open(p))
        return -1;
    *plan = (struct km_plan){
        .shape = {p->dimensions, o->centroids},
        .points = p->count,
        .cycles = o->cycles,
        .labels = p->source->label != NULL,
    };
    if (plan->points >= o->centroids)
        return 0;
    snprintf(p->why, sizeof p->why, "%d centroids need as many points, but there are %ld",
             o->centroids, plan->points);
    return -1;
}

int km_master(struct team *t, const struct km_options *o)
{
    struct km_points p = {.source = o->file[0] ? &km_picture : &km_made, .options = o};
    struct km_rank r = {.plan = {.stop = 1}};

    if (prepare(&r.plan, &p))
        r.plan.stop = 1;
    team_broadcast(t, &r.plan, sizeof r.plan);
    if (!r.plan.stop)
        run(t, &r, &p);
    p.source->close(&p);
    if (p.why[0])
        fprintf(stderr, "km: %s\n", p.why);
    return p.why[0] != 0;
}

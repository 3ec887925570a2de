/* SPDX-License-Identifier: MIT */
/* Local masters and workers. */
#include "km.h"

static void receive_points(struct team *t, struct km_rank *r)
{
    const struct shape *s = &r->plan.shape;

    for (long at = 0, n; at < r->count; at += n) {
        coordinate *to = t->crew ? r->points : r->points + at * s->dimensions;
        n = (long)(team_recv(t, t->master, to, points_bytes(s, KM_PIECE)) / points_bytes(s, 1));
        km_pass_on(t, r, at, to, n);
    }
}

static int send_up(void *arg, const uint8_t *labels, long n)
{
    struct team *t = arg;

    team_send(t, t->master, labels, (size_t)n);
    return 0;
}

int km_serve(struct team *t)
{
    struct km_rank r;
    int go;

    team_broadcast(t, &r.plan, sizeof r.plan);
    if (r.plan.stop)
        return 0;
    km_open(t, &r);
    receive_points(t, &r);
    team_barrier(t);
    for (team_broadcast(t, &go, sizeof go); go; team_broadcast(t, &go, sizeof go)) {
        km_pass(t, &r);
        km_give_tally(t, &r);
    }
    if (r.plan.labels)
        km_labels(t, &r, send_up, t);
    km_close(t, &r);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What the global master, local masters and workers do alike: points go down, tallies and labels
 * come up. */
#include "km.h"

static size_t centroid_bytes(const struct km_rank *r)
{
    return points_bytes(&r->plan.shape, r->plan.shape.centroids);
}

static long part(const struct team *t, const struct km_rank *r, int i)
{
    return team_share(r->count, i + 1, t->crew) - team_share(r->count, i, t->crew);
}

void km_open(struct team *t, struct km_rank *r)
{
    const struct shape *s = &r->plan.shape;

    if (t->master >= 0)
        team_recv(t, t->master, &r->count, sizeof r->count);
    for (int i = 0; i < t->crew; i++) {
        long count = part(t, r, i);
        team_send(t, t->member[i], &count, sizeof count);
    }
    r->room = t->crew || r->count < KM_PIECE ? KM_PIECE : r->count;
    r->centroids = team_alloc(t, centroid_bytes(r), "the centroids");
    r->points = team_alloc(t, points_bytes(s, r->room), "its points");
    r->labels = team_alloc(t, (size_t)r->room, "its labels");
    r->sum = team_alloc(t, tally_bytes(s), "a tally");
    r->one = team_alloc(t, tally_bytes(s), "a tally");
}

void km_close(struct team *t, struct km_rank *r)
{
    const struct shape *s = &r->plan.shape;

    team_free(t, r->one, tally_bytes(s));
    team_free(t, r->sum, tally_bytes(s));
    team_free(t, r->labels, (size_t)r->room);
    team_free(t, r->points, points_bytes(s, r->room));
    team_free(t, r->centroids, centroid_bytes(r));
}

void km_pass_on(struct team *t, const struct km_rank *r, long at, const coordinate *points, long n)
{
    for (int i = 0; i < t->crew; i++) {
        long first = team_share(r->count, i, t->crew), end = team_share(r->count, i + 1, t->crew);
        first = first < at ? at : first;
        end = end > at + n ? at + n : end;
        if (first < end)
            team_send(t, t->member[i], points + (first - at) * r->plan.shape.dimensions,
                      points_bytes(&r->plan.shape, end - first));
    }
}

static size_t counts_bytes(const struct km_rank *r)
{
    return (size_t)r->plan.shape.centroids * sizeof r->sum->value[0];
}

void km_give_tally(struct team *t, const struct km_rank *r)
{
    size_t whole = tally_bytes(&r->plan.shape), counts = counts_bytes(r);
    const struct tally *sum = r->sum;

    if (!t->published) {
        team_send(t, t->master, sum, whole);
        return;
    }
    team_send(t, t->master, &sum->value[r->plan.shape.centroids], whole - sizeof *sum - counts);
    team_send(t, t->master, sum->value, counts);
    team_send(t, t->master, &sum->spread, sizeof sum->spread);
}

void km_take_tally(struct team *t, const struct km_rank *r, int from)
{
    size_t whole = tally_bytes(&r->plan.shape), counts = counts_bytes(r);
    struct tally *one = r->one;

    if (!t->published) {
        team_recv(t, from, one, whole);
        return;
    }
    team_recv(t, from, &one->value[r->plan.shape.centroids], whole - sizeof *one - counts);
    team_recv(t, from, one->value, counts);
    team_recv(t, from, &one->spread, sizeof one->spread);
}

void km_pass(struct team *t, struct km_rank *r)
{
    const struct shape *s = &r->plan.shape;

    team_broadcast(t, r->centroids, centroid_bytes(r));
    tally_clear(s, r->sum);
    if (t->crew) {
        for (int i = 0; i < t->crew; i++) {
            km_take_tally(t, r, t->member[i]);
            tally_add(s, r->sum, r->one);
        }
        team_work(t, (double)t->crew * (double)tally_values(s) * KM_ADD_CYCLES);
    } else {
        means_assign(s, r->centroids, r->points, r->count, r->labels, r->sum);
        team_work(t, (double)r->count * s->centroids * s->dimensions * r->plan.cycles);
    }
}

int km_labels(struct team *t, struct km_rank *r,
              int (*take)(void *arg, const uint8_t *labels, long n), void *arg)
{
    int code = 0;

    for (long at = 0; take && !t->crew && at < r->count && code == 0; at += KM_PIECE)
        code = take(arg, r->labels + at, r->count - at < KM_PIECE ? r->count - at : KM_PIECE);
    for (int i = 0; i < t->crew; i++) {
        for (long at = 0, n; at < part(t, r, i); at += n) {
            n = (long)team_recv(t, t->member[i], r->labels, KM_PIECE);
            code = code || !take ? code : take(arg, r->labels, n);
        }
    }
    return code;
}

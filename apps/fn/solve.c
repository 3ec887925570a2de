/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>

#include "fn.h"

enum { COMPARE_CYCLES = 10 }; /* two multiplications, a branch and a copy of 12 bytes; assumed */

/* A part of the numbers as it travels. */
struct part {
    uint32_t first, count;
};

/* The room of a rank for its part: two arrays, because merging needs the second. */
struct room {
    struct abundance *all, *spare;
    long *start; /* of sorted runs, one more than there are */
};

static size_t bytes(long count)
{
    return (size_t)count * sizeof(struct abundance);
}

/* Every number is a sorted run. */
static struct abundance *sort(struct room *r, long count, uint64_t *comparisons)
{
    for (long i = 0; i <= count; i++)
        r->start[i] = i;
    return abundance_merge(r->all, r->spare, r->start, (int)count, comparisons);
}

static uint64_t compute(struct abundance *all, const struct part *p)
{
    uint64_t divisions = 0;

    for (uint32_t i = 0; i < p->count; i++)
        all[i] = abundance_of(p->first + i, &divisions);
    return divisions;
}

static struct abundance *work(struct team *t, const struct fn_options *o, struct room *r,
                              const struct part *p)
{
    uint64_t comparisons = 0, divisions = compute(r->all, p);
    struct abundance *sorted = sort(r, p->count, &comparisons);

    team_work(t, (double)divisions * o->cycles + (double)comparisons * COMPARE_CYCLES);
    return sorted;
}

static struct abundance *deal(struct team *t, struct room *r, const struct part *p)
{
    uint64_t comparisons = 0;

    for (int i = 0; i <= t->crew; i++)
        r->start[i] = team_share(p->count, i, t->crew);
    for (int i = 0; i < t->crew; i++) {
        struct part one = {p->first + (uint32_t)r->start[i],
                           (uint32_t)(r->start[i + 1] - r->start[i])};
        team_send(t, t->member[i], &one, sizeof one);
    }
    for (int i = 0; i < t->crew; i++)
        team_recv(t, t->member[i], r->all + r->start[i], bytes(r->start[i + 1] - r->start[i]));
    struct abundance *sorted = abundance_merge(r->all, r->spare, r->start, t->crew, &comparisons);
    team_work(t, (double)comparisons * COMPARE_CYCLES);
    return sorted;
}

static size_t start_bytes(const struct team *t, long count)
{
    long runs = t->crew ? t->crew : count;
    return (size_t)(runs + 1) * sizeof(long);
}

struct abundance *fn_solve(struct team *t, const struct fn_options *o)
{
    struct part p = {(uint32_t)o->from, (uint32_t)o->count};

    if (t->master >= 0)
        team_recv(t, t->master, &p, sizeof p);
    struct room r = {
        .all = team_alloc(t, bytes(p.count), "abundances"),
        .spare = team_alloc(t, bytes(p.count), "abundances"),
        .start = team_alloc(t, start_bytes(t, p.count), "the parts of the crew"),
    };
    struct abundance *sorted = t->crew ? deal(t, &r, &p) : work(t, o, &r, &p);
    team_free(t, r.start, start_bytes(t, p.count));
    team_free(t, sorted == r.all ? r.spare : r.all, bytes(p.count));
    if (t->master < 0)
        return sorted;
    team_send(t, t->master, sorted, bytes(p.count));
    team_free(t, sorted, bytes(p.count));
    return NULL;
}

void fn_release(const struct team *t, const struct fn_options *o, struct abundance *all)
{
    team_free(t, all, bytes(o->count));
}

static int by_abundance(const void *a, const void *b)
{
    return abundance_order(a, b);
}

struct abundance *fn_serial(const struct fn_options *o)
{
    struct part p = {(uint32_t)o->from, (uint32_t)o->count};
    struct abundance *all = malloc(bytes(o->count));

    if (all) {
        compute(all, &p);
        qsort(all, p.count, sizeof *all, by_abundance);
    }
    return all;
}

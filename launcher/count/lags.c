/* SPDX-License-Identifier: MIT */
/* The places between blocks are the nodes of a graph, and blocks lead from one to another. Choose
 * blocks that form no circle to add nothing, and the lags at all places follow. The best choice, of
 * the blocks that are executed most, is a spanning tree of the most weight, found by Kruskal's
 * algorithm (Ball and Larus, ACM TOPLAS 16, 1994, place counters so). Others are right, too. */
#include "lags.h"

#include <stdlib.h>
#include <string.h>

enum {
    SWEEPS = 32,     /* rounds of loops that are followed to see what is executed often */
    LAG_LIMIT = 8000 /* of a class: longer ones are not kept up */
};
#define BACK 0.875 /* how often a conditional jump back is taken, as a guess */

/* A begin or an end of a block, in a union-find tree of those whose lags depend on each other. */
struct place {
    int up, size;
    int lag[COUNT_CLASSES]; /* beyond that of `up` */
};

struct search {
    const struct blocks *b;
    const struct regions *r;
    struct place *place; /* begins of the blocks, then their ends */
    double *often;
    int *order; /* blocks, the most frequent first */
};

static int root(const struct search *s, int i, int lag[COUNT_CLASSES])
{
    memset(lag, 0, COUNT_CLASSES * sizeof *lag);
    for (; s->place[i].up != i; i = s->place[i].up)
        for (int c = 0; c < COUNT_CLASSES; c++)
            lag[c] += s->place[i].lag[c];
    return i;
}

/* The lag at place y is to be that at x, and `more`. Not if they depend on each other already. */
static void unite(struct search *s, int x, int y, const unsigned more[COUNT_CLASSES])
{
    int at_x[COUNT_CLASSES], at_y[COUNT_CLASSES];
    x = root(s, x, at_x);
    y = root(s, y, at_y);
    if (x == y)
        return;
    bool below = s->place[x].size >= s->place[y].size; /* y comes below x */
    struct place *child = &s->place[below ? y : x];
    child->up = below ? x : y;
    s->place[child->up].size += child->size;
    for (int c = 0; c < COUNT_CLASSES; c++) {
        int beyond = at_x[c] + (int)more[c] - at_y[c];
        child->lag[c] = below ? beyond : -beyond;
    }
}

/* The block that follows inside the region, NOWHERE: none. */
static int next_inside(const struct search *s, int i, int way)
{
    int to = blocks_next(s->b, i, way), region = s->b->block[i].region;
    return to != NOWHERE && region != NOWHERE && s->b->block[to].region == region ? to : NOWHERE;
}

/* --- what is executed often --- */

/* Follows control from the first block of each region. What goes back waits for the next sweep. */
static void estimate(struct search *s)
{
    int n = s->b->count;
    double *now = grow(NULL, (size_t)n + 1, 2 * sizeof *now), *later = now + n;
    for (int i = 0; i < n; i++) {
        int region = s->b->block[i].region;
        s->often[i] = later[i] = 0;
        now[i] = region != NOWHERE && s->r->region[region].first == i;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < n; i++) {
            const struct block *k = &s->b->block[i];
            int fall = next_inside(s, i, 0), jump = next_inside(s, i, 1);
            double jumps = !k->branches ? 1 : jump != NOWHERE && jump <= i ? BACK : 0.5;
            s->often[i] += now[i];
            if (jump != NOWHERE)
                (jump > i ? now : later)[jump] += jumps * now[i];
            if (fall != NOWHERE)
                now[fall] += (k->branches ? 1 - jumps : 1) * now[i];
        }
        memcpy(now, later, (size_t)n * sizeof *now);
        memset(later, 0, (size_t)n * sizeof *later);
    }
    free(now);
}

static int most_often_first(const void *x, const void *y, void *often)
{
    int a = *(const int *)x, b = *(const int *)y;
    double at_a = ((double *)often)[a], at_b = ((double *)often)[b];
    return at_a > at_b ? -1 : at_a < at_b ? 1 : a - b;
}

static void order(struct search *s)
{
    int n = s->b->count;
    estimate(s);
    for (int i = 0; i < n; i++)
        s->order[i] = i;
    qsort_r(s->order, (size_t)n, sizeof *s->order, most_often_first, s->often);
}

/* --- lags --- */

/* Where a function calls itself control goes to its begin. When it comes back nothing lags, as at
 * the begin. */
static void connect(struct search *s)
{
    static const unsigned nothing[COUNT_CLASSES];
    int n = s->b->count;
    for (int i = 0; i < 2 * n; i++)
        s->place[i] = (struct place){.up = i, .size = 1};
    for (int i = 0; i < n; i++) {
        const struct block *k = &s->b->block[i];
        int fall = next_inside(s, i, 0), jump = next_inside(s, i, 1);
        if (jump != NOWHERE)
            unite(s, n + i, jump, nothing);
        if (fall != NOWHERE)
            unite(s, k->recurs ? s->r->region[k->region].first : n + i, fall, nothing);
        if (k->recurs && k->region != NOWHERE)
            unite(s, n + i, s->r->region[k->region].first, nothing);
    }
    order(s);
    for (int k = 0; k < n; k++)
        if (s->b->block[s->order[k]].region != NOWHERE)
            unite(s, s->order[k], n + s->order[k], s->b->block[s->order[k]].count);
}

/* The lag at a place of block i, as nothing lags where its region begins. */
static void settle(const struct search *s, int i, int place, int lag[COUNT_CLASSES])
{
    int first[COUNT_CLASSES] = {0}, region = s->b->block[i].region;
    root(s, place, lag);
    if (region != NOWHERE)
        root(s, s->r->region[region].first, first);
    bool keep = true;
    for (int c = 0; c < COUNT_CLASSES; c++) {
        lag[c] -= first[c];
        keep = keep && abs(lag[c]) <= LAG_LIMIT;
    }
    if (!keep)
        memset(lag, 0, COUNT_CLASSES * sizeof *lag);
}

struct lag *lags_find(const struct blocks *b, const struct regions *r)
{
    size_t n = (size_t)b->count + 1;
    struct lag *l = grow(NULL, n, sizeof *l);
    struct search s = {.b = b,
                       .r = r,
                       .place = grow(NULL, 2 * n, sizeof *s.place),
                       .often = grow(NULL, n, sizeof *s.often),
                       .order = grow(NULL, n, sizeof *s.order)};
    connect(&s);
    for (int i = 0; i < b->count; i++) {
        settle(&s, i, i, l[i].before);
        settle(&s, i, b->count + i, l[i].after);
        for (int c = 0; c < COUNT_CLASSES; c++)
            l[i].add[c] = l[i].before[c] + (int)b->block[i].count[c] - l[i].after[c];
    }
    free(s.place);
    free(s.often);
    free(s.order);
    return l;
}

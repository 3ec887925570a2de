/* SPDX-License-Identifier: MIT */
/* Loops are the strongly connected components of the graph of blocks, found by Tarjan's algorithm
 * (SIAM J. Comput. 1, 1972). In one for which no register is free loops are looked for again, after
 * its first block has been taken out. */
#include "regions.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 }; /* of loops in loops without a free register */

static bool is_open(const struct block *k)
{
    return k->opaque || k->taken || k->region != NOWHERE;
}

/* Makes a region of blocks if registers are free in all of them. */
static bool add(struct regions *r, struct blocks *b, const int *block, int count)
{
    unsigned used = 0;
    struct region new = {.first = block[0]};
    for (int i = 0; i < count; i++) {
        const struct block *k = &b->block[block[i]];
        used |= k->vectors.names | k->live;
        new.first = block[i] < new.first ? block[i] : new.first;
        new.recurs = new.recurs || k->recurs;
    }
    new.vector = free_vector(used);
    if (new.vector == NOWHERE)
        return false;
    if (r->count == r->room) {
        r->room = 2 * r->room + 64;
        r->region = grow(r->region, (size_t)r->room, sizeof *r->region);
    }
    for (int i = 0; i < count; i++)
        b->block[block[i]].region = r->count;
    r->region[r->count++] = new;
    return true;
}

/* --- functions --- */

static void find_functions(struct regions *r, struct blocks *b)
{
    int count = 0, *block = grow(NULL, (size_t)b->count + 1, sizeof *block);
    bool closed = false;
    for (int i = 0; i < b->count; i++) {
        const struct block *k = &b->block[i];
        if (k->begins) {
            count = 0;
            closed = true;
        }
        closed = closed && !is_open(k);
        block[count++] = i;
        bool ends =
            i + 1 == b->count || b->block[i + 1].begins || b->block[i + 1].section != k->section;
        if (ends && closed && count > 1)
            add(r, b, block, count);
        if (ends)
            count = 0;
        closed = closed && !ends;
    }
    free(block);
}

/* --- loops --- */

struct search {
    struct regions *r;
    struct blocks *b;
    bool *inside; /* blocks that may be in a loop that is no region yet */
    int *seen;    /* when a block was come to, from 1; 0: not yet */
    int *low;     /* the earliest seen that it leads to, among those that are in no component yet */
    int *tried;   /* ways from it that were followed */
    int *path;    /* the blocks that lead to the one that is looked at */
    int *waiting; /* those that are in no component yet */
    int waits;
    bool again; /* a loop was taken apart */
};

static int successor(const struct search *s, int i, int way)
{
    int to = blocks_next(s->b, i, way);
    return to != NOWHERE && s->inside[to] ? to : NOWHERE;
}

/* What was found is not looked at again, but for the rest of a loop without a free register. */
static void take_component(struct search *s, const int *block, int count)
{
    bool loops = count > 1 || successor(s, block[0], 1) == block[0];
    bool rest = loops && !add(s->r, s->b, block, count);
    int first = block[0];
    for (int i = 0; i < count; i++) {
        s->low[block[i]] = INT_MAX;
        s->inside[block[i]] = rest;
        first = block[i] < first ? block[i] : first;
    }
    s->inside[first] = false;
    s->again = s->again || rest;
}

/* Nothing that waits since block i leads to one before it: they are a component. */
static void close_component(struct search *s, int i)
{
    int from = s->waits;
    do {
        from--;
    } while (s->waiting[from] != i);
    take_component(s, s->waiting + from, s->waits - from);
    s->waits = from;
}

/* Finds the components of all that is come to from `start`. */
static void visit(struct search *s, int start, int *seen)
{
    int depth = 1;
    s->path[0] = start;
    while (depth > 0) {
        int i = s->path[depth - 1];
        if (s->seen[i] == 0) {
            s->seen[i] = s->low[i] = ++*seen;
            s->tried[i] = 0;
            s->waiting[s->waits++] = i;
        }
        int to = s->tried[i] < 2 ? successor(s, i, s->tried[i]) : NOWHERE;
        if (to != NOWHERE && s->seen[to] == 0) {
            s->path[depth++] = to; /* and then this way again */
        } else if (s->tried[i] < 2) {
            if (to != NOWHERE && s->low[to] < s->low[i])
                s->low[i] = s->low[to];
            s->tried[i]++;
        } else {
            depth--;
            if (s->low[i] == s->seen[i])
                close_component(s, i);
        }
    }
}

static void find_loops(struct regions *r, struct blocks *b)
{
    size_t n = (size_t)b->count + 1;
    int *numbers = grow(NULL, n, 5 * sizeof *numbers);
    struct search s = {.r = r,
                       .b = b,
                       .inside = grow(NULL, n, sizeof *s.inside),
                       .seen = numbers,
                       .low = numbers + n,
                       .tried = numbers + 2 * n,
                       .path = numbers + 3 * n,
                       .waiting = numbers + 4 * n,
                       .again = true};
    for (int i = 0; i < b->count; i++) {
        const struct block *k = &b->block[i];
        s.inside[i] = !is_open(k) && !k->recurs && !(k->begins && blocks_fall(b, i - 1));
    }
    for (int round = 0; round < DEPTH && s.again; round++) {
        int seen = 0;
        s.again = false;
        memset(s.seen, 0, n * sizeof *s.seen);
        for (int i = 0; i < b->count; i++)
            if (s.inside[i] && s.seen[i] == 0)
                visit(&s, i, &seen);
    }
    free(s.inside);
    free(numbers);
}

void regions_find(struct regions *r, struct blocks *b)
{
    *r = (struct regions){0};
    find_functions(r, b);
    find_loops(r, b);
}

void regions_free(struct regions *r)
{
    free(r->region);
}

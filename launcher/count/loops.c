/* SPDX-License-Identifier: MIT */
#include "loops.h"

#include <stdlib.h>

enum { ARGUMENTS = 8 };

int free_vector(const struct function *f, int below)
{
    for (int v = below - 1; v >= ARGUMENTS; v--)
        if ((f->vectors & 1u << v) == 0)
            return v;
    return NOWHERE;
}

static void add(struct loops *l, int first, int last)
{
    if (l->count == l->room) {
        l->room = 2 * l->room + 64;
        l->loop = grow(l->loop, (size_t)l->room, sizeof *l->loop);
    }
    l->loop[l->count++] = (struct loop){first, last, NOWHERE, NOWHERE, false};
}

/* Every jump back makes a candidate, and every function of several blocks. */
static void find_candidates(struct loops *l, const struct blocks *b)
{
    int begin = NOWHERE;
    for (int i = 0; i < b->count; i++) {
        const struct block *k = &b->block[i];
        if (k->begins)
            begin = i;
        if (k->target != NOWHERE && k->target <= i)
            add(l, k->target, i);
        bool ends =
            i + 1 == b->count || b->block[i + 1].begins || b->block[i + 1].section != k->section;
        if (ends && begin != NOWHERE && begin < i)
            add(l, begin, i);
        if (ends)
            begin = NOWHERE;
    }
}

static int longest_first(const void *a, const void *b)
{
    const struct loop *x = a, *y = b;
    int more = (y->last - y->first) - (x->last - x->first);
    return more != 0 ? more : x->first - y->first;
}

static bool is_closed(const struct blocks *b, const struct loop *l)
{
    const struct block *first = &b->block[l->first];
    for (int i = l->first; i <= l->last; i++) {
        const struct block *k = &b->block[i];
        if (k->opaque || k->taken || k->loop != NOWHERE || k->section != first->section ||
            k->function != first->function || (k->begins && i > l->first) ||
            (k->recurs && !first->begins))
            return false;
    }
    return true;
}

void loops_find(struct loops *l, struct blocks *b)
{
    int kept = 0;
    *l = (struct loops){0};
    find_candidates(l, b);
    if (l->count > 0)
        qsort(l->loop, (size_t)l->count, sizeof *l->loop, longest_first);
    for (int i = 0; i < l->count; i++) {
        struct loop new = l->loop[i];
        const struct function *f = blocks_function(b, b->block[new.first].function);
        new.vector = free_vector(f, VECTORS);
        new.other = new.first < new.last ? free_vector(f, new.vector) : NOWHERE;
        if (new.vector == NOWHERE || !is_closed(b, &new))
            continue;
        for (int k = new.first; k <= new.last; k++) {
            b->block[k].loop = kept;
            new.recurs = new.recurs || b->block[k].recurs;
        }
        l->loop[kept++] = new;
    }
    l->count = kept;
}

void loops_free(struct loops *l)
{
    free(l->loop);
}

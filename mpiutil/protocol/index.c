/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "protocol/index.h"
#include "protocol/protocol.h"

#define LENGTH 8  /* of a ring, before there are more of them */
#define MORE   8  /* times as many then */
#define MOST   64 /* the oldest of all is looked for in each */

struct mpu_arrival **mpu_index_ring(struct mpu_index *x, uint64_t key)
{
    uint32_t at = (uint32_t)(key + (key >> 32));
    return x->mask ? &x->last[at & x->mask] : &x->one;
}

void mpu_index_put(struct mpu_rank *r, struct mpu_index *x, struct mpu_arrival *a, uint64_t key)
{
    struct mpu_arrival **last = mpu_index_ring(x, key), *at = *last;
    a->wire.marked = key;
    a->next = a;
    if (!at || at->order <= a->order)
        *last = a;
    else
        while (at->next->order < a->order)
            at = at->next;
    if (at) {
        a->next = at->next;
        at->next = a;
    }
    x->count++;
    if (r && x->count / LENGTH > x->mask && r->cluster->has.grow)
        r->cluster->has.grow(r, x);
}

void mpu_index_take(struct mpu_index *x, const struct mpu_arrival *a)
{
    struct mpu_arrival **last = mpu_index_ring(x, a->wire.marked), *at = *last;
    while (at->next != a)
        at = at->next;
    at->next = a->next;
    if (*last == a)
        *last = at == a ? NULL : at;
    x->count--;
}

struct mpu_arrival *mpu_index_find(struct mpu_index *x, uint64_t key, uint64_t of)
{
    struct mpu_arrival *best = NULL;
    uint32_t i = (uint32_t)of == UINT32_MAX ? 0 : x->mask;
    do {
        struct mpu_arrival *last = *mpu_index_ring(x, key + i), *a = last;
        while (a && (a->next->wire.marked ^ key) & of)
            a = a->next == last ? NULL : a->next;
        if (a && (!best || a->next->order < best->order))
            best = a->next;
    } while (i--);
    return best;
}

/* Without memory for more of them they get longer. */
void mpu_index_grow(struct mpu_rank *r, struct mpu_index *x)
{
    struct mpu_index more = {.mask = MORE * x->mask + MORE - 1};
    if (more.mask >= MOST)
        return;
    size_t bytes = (more.mask + 1) * sizeof(struct mpu_arrival *);
    more.last = mpu_alloc(r, bytes);
    if (!more.last)
        return;
    memset(more.last, 0, bytes);
    for (uint32_t i = 0; i <= x->mask; i++)
        for (struct mpu_arrival *last = *mpu_index_ring(x, i); last;) {
            struct mpu_arrival *a = last->next;
            last->next = a->next;
            last = a == last ? NULL : last;
            mpu_index_put(NULL, &more, a, a->wire.marked);
        }
    if (x->mask)
        mpu_free(r, x->last);
    *x = more;
}

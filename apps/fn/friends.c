/* SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "friends.h"

static bool same(const struct abundance *a, const struct abundance *b)
{
    return a->sum == b->sum && a->over == b->over;
}

static void meet(struct friends *f, long one)
{
    if (!f->met[one])
        f->list[f->found++] = (uint32_t)one;
    f->met[one] = 1;
}

/* Where the search for an abundance begins: the upper bits of a product, which depend on all bits
 * of both numbers. */
static uint32_t home(const struct friends *f, const struct abundance *a)
{
    uint64_t key = (uint64_t)a->sum << 32 | a->over;

    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - f->bits));
}

/* The first number of each abundance has a slot. */
static void add_by_table(struct friends *f, long first, long end)
{
    uint32_t last = (uint32_t)((1u << f->bits) - 1);

    for (long i = first; i < end; i++) {
        uint32_t at = home(f, &f->all[i]);
        for (f->steps++; f->slot[at] && !same(&f->all[f->slot[at] - 1], &f->all[i]); f->steps++)
            at = (at + 1) & last;
        if (f->slot[at]) {
            meet(f, f->slot[at] - 1);
            meet(f, i);
        } else {
            f->slot[at] = (uint32_t)i + 1;
        }
    }
}

static void add_by_pairs(struct friends *f, long first, long end)
{
    for (long i = first; i < end; i++) {
        for (long k = 0; k < i; k++)
            if (same(&f->all[k], &f->all[i])) {
                meet(f, k);
                meet(f, i);
            }
        f->steps += (uint64_t)i;
    }
}

const struct finder friends_by_table = {add_by_table, 20};
const struct finder friends_by_pairs = {add_by_pairs, 5};

int friends_bits(long count)
{
    int bits = 1;

    while (2 * (1L << bits) < 3 * count)
        bits++;
    return bits;
}

struct abundance *friends_sorted(struct friends *f, struct abundance *to, struct abundance *spare,
                                 long *start)
{
    for (long i = 0; i < f->found; i++) {
        to[i] = f->all[f->list[i]];
        start[i] = i;
    }
    start[f->found] = f->found;
    return abundance_merge(to, spare, start, (int)f->found, &f->steps);
}

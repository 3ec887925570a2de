/* SPDX-License-Identifier: MIT */
/* The same by one rank: all abundances, sorted; friends are neighbours then. */
#include <stdlib.h>
#include <string.h>

#include "fn.h"

static int by_abundance(const void *a, const void *b)
{
    return abundance_order(a, b);
}

/* Of sorted ones: whether those with a neighbour of the same abundance are the friends of *r. */
static bool same_friends(const struct abundance *all, long count, const struct fn_result *r)
{
    long at = 0;

    for (long i = 0; i < count; i++) {
        const struct abundance *a = &all[i];
        bool shared = (i > 0 && a[-1].sum == a->sum && a[-1].over == a->over) ||
                      (i + 1 < count && a[1].sum == a->sum && a[1].over == a->over);
        if (shared && (at == r->friends || memcmp(&r->friend[at++], a, sizeof *a) != 0))
            return false;
    }
    return at == r->friends;
}

int fn_compare(const struct fn_options *o, const struct fn_result *r)
{
    struct abundance *all = calloc((size_t)o->count, sizeof *all);
    uint64_t divisions = 0;

    if (!all)
        return -1;
    for (int i = 0; i < o->count; i++)
        all[i] = abundance_of((uint32_t)(o->from + i), &divisions);
    bool same = memcmp(all, r->all, (size_t)o->count * sizeof *all) == 0;
    qsort(all, (size_t)o->count, sizeof *all, by_abundance);
    same = same && same_friends(all, o->count, r);
    free(all);
    return !same;
}

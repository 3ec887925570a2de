/* SPDX-License-Identifier: MIT */
/* Both ways to find friends against the definition, whatever the parts in which numbers come. */
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "fn/friends.h"

enum { MOST = 300 };

static int same(const struct abundance *a, const struct abundance *b)
{
    return a->sum == b->sum && a->over == b->over;
}

static int has_friend(const struct abundance *all, long count, long one)
{
    for (long i = 0; i < count; i++)
        if (i != one && same(&all[i], &all[one]))
            return 1;
    return 0;
}

static void check_sorted(struct friends *f)
{
    static struct abundance to[MOST], spare[MOST];
    static long start[MOST + 1];
    const struct abundance *sorted = friends_sorted(f, to, spare, start);
    for (long i = 1; i < f->found; i++)
        CHECK(abundance_order(&sorted[i - 1], &sorted[i]) < 0);
}

/* Abundances of few values, so that many are shared, or of many. */
static void check_finder(const struct finder *finder, long count, uint32_t values)
{
    struct abundance all[MOST];
    uint32_t list[MOST], slot[1024] = {0};
    uint8_t met[MOST] = {0};
    for (long i = 0; i < count; i++)
        all[i] = (struct abundance){1 + (uint32_t)rand() % values, 1, (uint32_t)(i + 1)};
    struct friends f = {.all = all, .count = count, .list = list, .met = met, .slot = slot};
    f.bits = friends_bits(count);
    CHECK(3 * count <= 2 << f.bits && f.bits <= 10);
    for (long first = 0, end; first < count; first = end) {
        end = first + 1 + rand() % (count - first);
        finder->add(&f, first, end);
    }
    long friends = 0;
    for (long i = 0; i < count; i++) {
        CHECK(met[i] == has_friend(all, count, i));
        friends += met[i];
    }
    CHECK(f.found == friends);
    for (long i = 0; i < f.found; i++)
        CHECK(met[list[i]]-- == 1);
    check_sorted(&f);
}

int main(void)
{
    srand(1);
    for (long count = 1; count <= MOST; count += 1 + rand() % 9)
        for (uint32_t values = 1; values < 100000; values *= 7) {
            check_finder(&friends_by_table, count, values);
            check_finder(&friends_by_pairs, count, values);
        }
    return 0;
}

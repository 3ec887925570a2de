/* SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "numbers.h"

static uint64_t common_divisor(uint64_t a, uint64_t b, uint64_t *divisions)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
        ++*divisions;
    }
    return a;
}

struct abundance abundance_of(uint32_t n, uint64_t *divisions)
{
    uint64_t sum = 0;

    for (uint32_t d = 1; d <= n / d; d++) {
        ++*divisions;
        if (n % d == 0)
            sum += d == n / d ? d : d + n / d;
    }
    uint64_t common = common_divisor(sum, n, divisions);
    return (struct abundance){(uint32_t)(sum / common), (uint32_t)(n / common), n};
}

int abundance_order(const struct abundance *a, const struct abundance *b)
{
    uint64_t left = (uint64_t)a->sum * b->over, right = (uint64_t)b->sum * a->over;

    if (left != right)
        return left < right ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Merges from[a .. b-1] and from[b .. c-1] into `to`, to the same places. */
static void merge_two(const struct abundance *from, struct abundance *to, long a, long b, long c,
                      uint64_t *comparisons)
{
    long left = a, right = b;

    for (long at = a; at < c; at++) {
        bool take_left = right == c;
        if (left < b && right < c) {
            take_left = abundance_order(&from[left], &from[right]) < 0;
            ++*comparisons;
        }
        to[at] = take_left ? from[left++] : from[right++];
    }
}

struct abundance *abundance_merge(struct abundance *all, struct abundance *spare, long *start,
                                  int runs, uint64_t *comparisons)
{
    while (runs > 1) {
        int left = 0;
        for (int r = 0; r < runs; r += 2) {
            long middle = start[r + 1], end = r + 2 <= runs ? start[r + 2] : middle;
            merge_two(all, spare, start[r], middle, end, comparisons);
            start[left++] = start[r];
        }
        start[left] = start[runs];
        runs = left;
        struct abundance *swap = all;
        all = spare;
        spare = swap;
    }
    return all;
}

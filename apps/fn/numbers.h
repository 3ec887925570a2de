/* SPDX-License-Identifier: MIT */
/* The arithmetic of friendly numbers: the abundance of n is the sum of its divisors over n, and
 * numbers of equal abundance are friends. */
#ifndef FN_NUMBERS_H
#define FN_NUMBERS_H

#include <stdint.h>

enum { NUMBER_MAX = 500000000 }; /* its sum of divisors fits 32 bits */

/* Abundance sum / over of `number`, in lowest terms. Travels as bytes. */
struct abundance {
    uint32_t sum, over, number;
};

/* Abundance of n, 1 .. NUMBER_MAX, by trial division. Adds the divisions it took to *divisions. */
struct abundance abundance_of(uint32_t n, uint64_t *divisions);

/* Below, at, above 0: a comes before b by value of abundance, then by number. */
int abundance_order(const struct abundance *a, const struct abundance *b);

/* Sorts `count` entries that lie in `runs` sorted runs; run r begins at start[r], start[runs] is
 * count. `spare` has room for count entries. The result is in *all or in spare, which is returned.
 * Adds the comparisons it took to *comparisons. start is used up. */
struct abundance *abundance_merge(struct abundance *all, struct abundance *spare, long *start,
                                  int runs, uint64_t *comparisons);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FN_FN_H
#define FN_FN_H

#include <stdbool.h>

#include "numbers.h"
#include "common/team.h"

struct fn_options {
    int from, count; /* the numbers from .. from + count - 1; count 0: 1536 for each cluster */
    int cycles;      /* modelled cycles of one division */
    bool published;  /* as the program of uller-2021 does it, not as this one does */
    bool quick, check;
};

struct fn_result {
    struct abundance *all;    /* of all numbers, in their order */
    struct abundance *friend; /* those that others share, sorted */
    long friends;
};

/* Who deals numbers splits its part among its crew; who has no crew works. All ranks call it; rank
 * 0 gets the result, to be released, the others nothing. */
void fn_solve(struct team *t, const struct fn_options *o, struct fn_result *r);
void fn_release(const struct team *t, const struct fn_options *o, struct fn_result *r);

/* Whether *r is what one rank finds alone, by sorting, in memory of the C library: 0; 1: it is not;
 * -1: there is no memory. */
int fn_compare(const struct fn_options *o, const struct fn_result *r);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FN_FN_H
#define FN_FN_H

#include <stdbool.h>

#include "numbers.h"
#include "common/team.h"

struct fn_options {
    int from, count; /* the numbers from .. from + count - 1; count 0: 1536 for each cluster */
    int cycles;      /* modelled cycles of one division */
    bool quick, check;
};

/* Who deals numbers splits its part among its crew; who has no crew works. All ranks call it; rank
 * 0 gets the abundances in order (fn_release frees them), the others NULL. */
struct abundance *fn_solve(struct team *t, const struct fn_options *o);
void fn_release(const struct team *t, const struct fn_options *o, struct abundance *all);

/* The same alone and without messages, in memory of the C library; NULL: there is none. */
struct abundance *fn_serial(const struct fn_options *o);

#endif

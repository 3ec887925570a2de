/* SPDX-License-Identifier: MIT */
/* Two forms of the program: this one's own, and that of the program which uller-2021 measured. */
#ifndef FN_FORMS_H
#define FN_FORMS_H

#include "fn.h"
#include "friends.h"

/* A part of the numbers. */
struct part {
    uint32_t first, count;
};

struct form {
    /* The first number of the i-th member's part; i == t->crew: of the dealer's own, which is
     * the rest. */
    long (*begin)(const struct team *t, long count, int i);
    /* Sends *p, whose abundances will stand in `all`, to a member. */
    void (*give)(struct team *t, int to, const struct part *p, struct abundance *all);
    /* Receive it from the master: first what it is, then what follows into memory for that. */
    void (*take)(struct team *t, struct part *p);
    void (*take_rest)(struct team *t, const struct part *p, struct abundance *all);
    /* Modelled cycles of the abundances of *p, which took so many divisions. */
    double (*cycles)(const struct fn_options *o, const struct part *p, uint64_t divisions);
    const struct finder *finder;
    bool at_once; /* rank 0 looks for friends in a part as soon as it has it, not when it has all */
};

const struct form *fn_form(const struct fn_options *o);

#endif

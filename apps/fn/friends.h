/* SPDX-License-Identifier: MIT */
/* Which numbers share their abundance with another one. */
#ifndef FN_FRIENDS_H
#define FN_FRIENDS_H

#include <stddef.h>
#include <stdint.h>

#include "numbers.h"

struct friends {
    const struct abundance *all; /* of all numbers, in their order */
    long count;                  /* of them */
    uint32_t *list;              /* places in `all` of those found, each once, in no order */
    long found;
    uint8_t *met;   /* of each number: it is in the list */
    uint32_t *slot; /* of the table: 1 + the place of a number; 0: nobody's. Not used by pairs */
    int bits;       /* it has 1 << bits slots */
    uint64_t steps; /* how often two abundances were compared, or a slot was looked at */
};

/* A way to find them. */
struct finder {
    /* all[first .. end - 1] are there now, and all those before them were added earlier. */
    void (*add)(struct friends *f, long first, long end);
    int step_cycles; /* modelled, of a step; assumed */
};

/* Looks each number up in a table by its abundance: a few steps for each. The slots must be 0. */
extern const struct finder friends_by_table;
/* Compares each with each: about half the square of their number. */
extern const struct finder friends_by_pairs;

/* Bits of a table for so many numbers: at most two thirds of it are in use. */
int friends_bits(long count);

/* Copies the f->found abundances found into `to`, sorted. spare: room for as many; start: for one
 * more. Returns `to` or `spare`, where they are. */
struct abundance *friends_sorted(struct friends *f, struct abundance *to, struct abundance *spare,
                                 long *start);

#endif

/* SPDX-License-Identifier: MIT */
/* Regions: stretches of code in which the counter can stay in a register. Whole functions that call
 * nothing but themselves, and loops, as far as these call nothing. */
#ifndef COUNT_REGIONS_H
#define COUNT_REGIONS_H

#include "blocks.h"

/* Some blocks, which lie anywhere. Their member `region` is its number. */
struct region {
    int first;   /* of its blocks, as they stand in the text */
    int vector;  /* the register */
    bool recurs; /* calls from inside find the counter in the register, and leave it there */
};

struct regions {
    struct region *region;
    int count, room;
};

/* Finds those that are as large as possible and have no part in common. Control comes into them by
 * the begin of a function, from the block before, and by jumps that the text shows. */
void regions_find(struct regions *r, struct blocks *b);
void regions_free(struct regions *r);

#endif

/* SPDX-License-Identifier: MIT */
/* Stretches of code in which the counter can stay in registers: loops without calls, and whole
 * functions that call nothing but themselves. */
#ifndef COUNT_LOOPS_H
#define COUNT_LOOPS_H

#include "blocks.h"

/* Blocks first .. last, which lie one after the other. Their member `loop` is its number. */
struct loop {
    int first, last;
    int vector; /* the register */
    int other;  /* where every other block counts, so that none waits for the one before; NOWHERE */
    bool recurs; /* calls from inside find the counter in the registers, and leave it there */
};

struct loops {
    struct loop *loop;
    int count, room;
};

/* Finds those that are as long as possible and have no part in common. Control comes into them by
 * the begin of `first`, from outside or from the block before, and by jumps that the text shows. */
void loops_find(struct loops *l, struct blocks *b);
void loops_free(struct loops *l);

enum { VECTORS = 16 };

/* A register of the vector unit below number `below` in which a function has nothing: it does not
 * name it, and no argument or result is in it. NOWHERE: there is none. */
int free_vector(const struct function *f, int below);

#endif

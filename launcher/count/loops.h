/* SPDX-License-Identifier: MIT */
/* Stretches of code in which the counter can stay in a register: loops without calls, and whole
 * functions that call nothing. */
#ifndef COUNT_LOOPS_H
#define COUNT_LOOPS_H

#include "blocks.h"

/* Blocks first .. last, which lie one after the other. Their member `loop` is its number. */
struct loop {
    int first, last;
    int vector; /* the register */
};

struct loops {
    struct loop *loop;
    int count, room;
};

/* Finds those that are as long as possible and have no part in common. Control comes into them by
 * the begin of `first`, from outside or from the block before, and by jumps that the text shows. */
void loops_find(struct loops *l, struct blocks *b);
void loops_free(struct loops *l);

/* A register of the vector unit in which a function has nothing: it does not name it, and no
 * argument or result is in it. NOWHERE: there is none. */
int free_vector(const struct function *f);

#endif

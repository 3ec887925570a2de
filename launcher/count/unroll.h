/* SPDX-License-Identifier: MIT */
/* Loops of one short block, which take no longer than an addition to the counter. They are written
 * several times one after the other, and add once in so many rounds. */
#ifndef COUNT_UNROLL_H
#define COUNT_UNROLL_H

#include <stdio.h>

#include "blocks.h"

enum { UNROLL_TIMES = 4 };

/* Is block i such a loop, and can it be written again? */
bool unroll_can(const struct source *s, const struct blocks *b, int i);

/* Writes the condition under which the loop at block i ends after a round, as a jump without its
 * operand, and the instructions of another round but for its jump. */
void unroll_end(FILE *to, const struct source *s, const struct block *k);
void unroll_round(FILE *to, const struct source *s, const struct block *k);

#endif

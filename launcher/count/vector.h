/* SPDX-License-Identifier: MIT */
/* Instructions on registers of the vector unit, and those of the old floating point unit: their
 * operations, and which of the registers they read and write. */
#ifndef COUNT_VECTOR_H
#define COUNT_VECTOR_H

#include "instruction.h"

/* Is this one of them? Then adds its operations. */
bool vector_count(const struct instruction *in, unsigned count[COUNT_CLASSES]);

/* Bytes of the widest register of the vector unit that it names, 0: none. */
unsigned vector_width(const struct instruction *in);

/* Sets of these registers, a bit for each of the first 16. */
struct vectors {
    unsigned names;  /* that are named at all */
    unsigned reads;  /* whose content from before may be read */
    unsigned writes; /* ... may not be, as it is replaced first */
};

enum {
    VECTORS_ALL = 0xffff,
    VECTORS_PASSED = 0xff /* in which arguments and results may be; no call keeps the others */
};

/* Makes of what is known of some instructions what they are together with the one that follows.
 * One that was written by hand may do anything with what it names. */
void vectors_add(struct vectors *v, struct piece text, const struct instruction *in, bool by_hand);
/* ... with some that nobody understands. */
void vectors_unknown(struct vectors *v);

/* Does an operand lie in memory? Not an immediate value or a register. */
bool operand_is_memory(struct piece operand);

#endif

/* SPDX-License-Identifier: MIT */
/* One instruction of x86-64: where control goes after it, and which operations it stands for. */
#ifndef COUNT_INSTRUCTION_H
#define COUNT_INSTRUCTION_H

#include <launcher/count.h>

#include "text.h"

enum { OPERANDS = 5 };

enum flow {
    FLOW_ON,     /* to the next one */
    FLOW_CALL,   /* to the next one, after other code that keeps no register of the vector unit */
    FLOW_BRANCH, /* to the next one or to its operand */
    FLOW_JUMP,   /* to its operand */
    FLOW_END     /* elsewhere: return, trap */
};

struct instruction {
    char name[16]; /* without prefixes */
    bool repeated; /* a string instruction, as often as %rcx says */
    struct piece operand[OPERANDS];
    int operands;
};

struct instruction instruction_read(struct piece text);

/* Does the name of an instruction begin with this? */
bool name_begins(const char *name, const char *with);

enum flow instruction_flow(const struct instruction *in);

/* Adds the operations of one execution. A repeated one has none: instruction_repeats. */
void instruction_count(const struct instruction *in, unsigned count[COUNT_CLASSES]);

/* Work that a register tells the amount of: `of` operations in each 2^shift of its units. */
struct amount {
    const char *reg; /* NULL: no such work */
    int shift;
    bool ends_early; /* afterwards the register tells what was left undone */
    int16_t of[COUNT_CLASSES];
};

struct amount instruction_repeats(const struct instruction *in);

/* Does it use encodings that clear the upper part of these registers? */
bool instruction_is_avx(const struct instruction *in);

/* A function of a library whose code is not counted: the operations that a call stands for are
 * added to `count`, and the amount is what is to be counted by its arguments. */
struct piece library_name(struct piece operand);
struct amount library_call(struct piece name, unsigned count[COUNT_CLASSES]);

#endif

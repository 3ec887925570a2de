/* SPDX-License-Identifier: MIT */
/* The basic blocks of an assembly text: statements of code that are executed one after the other,
 * from the first to the last (a call comes back). */
#ifndef COUNT_BLOCKS_H
#define COUNT_BLOCKS_H

#include <launcher/count.h>

#include "instruction.h"
#include "labels.h"
#include "text.h"
#include "vector.h"

enum { NOWHERE = -1 };

struct block {
    int first, last; /* instructions: statements, which others may lie between */
    int entrance;    /* a statement: its first label that is jumped to, NOWHERE: there is none */
    int section;
    int function;
    bool begins;     /* a function: it is entered from outside */
    bool taken;      /* it is entered by ways that the text does not show */
    bool opaque;     /* it calls others, or its jumps lead where the text does not show */
    bool recurs;     /* its last instruction calls the function that it is in, by its name */
    bool falls;      /* control may go on to the next block */
    bool calls;      /* its last instruction is a call, which may never come back */
    bool leaves;     /* its last instruction goes somewhere else than to a label: it returns */
    bool lost;       /* ... or where the text does not show */
    int jump;        /* the statement at its end that jumps to `to`, NOWHERE: none */
    bool branches;   /* that one may also go on */
    struct piece to; /* the label, in the text */
    int goes;        /* the block there, NOWHERE: not in this text */
    int target;      /* the same, but NOWHERE also if it is the begin of a function */
    unsigned count[COUNT_CLASSES];
    struct vectors vectors; /* of its instructions, one after the other */
    unsigned live; /* registers of the vector unit whose content at its begin somebody may read */
    int region;    /* of regions.h, NOWHERE: none */
};

struct function {
    int same;         /* union-find: functions that jump into each other are one */
    unsigned vectors; /* registers of the vector unit that its text names */
    bool avx;
};

struct blocks {
    struct block *block;
    int count, room;
    struct function *function;
    int functions, function_room;
    struct labels labels;
};

/* Finds the blocks of a text. */
void blocks_find(struct blocks *b, const struct source *s);
void blocks_free(struct blocks *b);

/* The function that `function` is one with. */
struct function *blocks_function(const struct blocks *b, int function);

/* Does the instruction call or jump to what is not in this text: a function of a library, maybe? */
bool blocks_call_library(const struct blocks *b, const struct instruction *in);

/* Control can go from block i to block i + 1 without a jump. */
bool blocks_fall(const struct blocks *b, int i);
/* Where control can go from block i, by falling (way 0) or by its jump (1). NOWHERE: not so. */
int blocks_next(const struct blocks *b, int i, int way);

enum { VECTORS = 16 };

/* The last register of the vector unit that is not in the set `used`, a bit for each. NOWHERE:
 * there is none. */
int free_vector(unsigned used);

#endif

/* SPDX-License-Identifier: MIT */
/* Instructions on registers of the vector unit, and those of the old floating point unit. */
#ifndef COUNT_VECTOR_H
#define COUNT_VECTOR_H

#include "instruction.h"

/* Is this one of them? Then adds its operations. */
bool vector_count(const struct instruction *in, unsigned count[COUNT_CLASSES]);

/* Bytes of the widest register of the vector unit that it names, 0: none. */
unsigned vector_width(const struct instruction *in);

/* Does an operand lie in memory? Not an immediate value or a register. */
bool operand_is_memory(struct piece operand);

#endif

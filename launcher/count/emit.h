/* SPDX-License-Identifier: MIT */
#ifndef COUNT_EMIT_H
#define COUNT_EMIT_H

#include "regions.h"

/* Makes the changes by which the text counts what it executes, each on the line where it belongs,
 * so that line numbers stay what they were. */
void emit(struct source *s, const struct blocks *b, const struct regions *r);

#endif

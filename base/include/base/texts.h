/* SPDX-License-Identifier: MIT */
/* Texts that lie one behind the other, each with its terminator: a table without a pointer for each
 * of them, for what is looked up seldom. */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <stddef.h>

/* Text i of them, the first is 0; there must be so many. Any context. */
const char *b_text_of(const char *texts, size_t i);

#endif

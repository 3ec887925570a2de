/* SPDX-License-Identifier: MIT */
/* The functions on bytes that a compiler may call by itself, for rooms that have no C library.
 * Hosted builds take them from the host's library, freestanding ones from base/freestanding.
 * Meaning as in ISO C, 7.24. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);

#endif

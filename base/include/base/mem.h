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

/* memcpy of at most B_COPY_SHORT bytes, inline: shorter than the call of a function, and with few
 * branches: longer ones are four pieces that overlap. */
#define B_COPY_SHORT 64
static inline void b_copy_short(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    struct two {
        unsigned long long a, b;
    } first, second, third, last;
    unsigned long long head, tail;
    unsigned int left, right;
    if (n >= 16) {
        size_t end = n - 16, at = end < 16 ? end : 16;
        memcpy(&first, f, 16);
        memcpy(&second, f + at, 16);
        memcpy(&third, f + end - at, 16);
        memcpy(&last, f + end, 16);
        memcpy(t, &first, 16);
        memcpy(t + at, &second, 16);
        memcpy(t + end - at, &third, 16);
        memcpy(t + end, &last, 16);
    } else if (n >= 8) {
        memcpy(&head, f, 8);
        memcpy(&tail, f + n - 8, 8);
        memcpy(t, &head, 8);
        memcpy(t + n - 8, &tail, 8);
    } else if (n >= 4) {
        memcpy(&left, f, 4);
        memcpy(&right, f + n - 4, 4);
        memcpy(t, &left, 4);
        memcpy(t + n - 4, &right, 4);
    } else if (n > 0) {
        t[0] = f[0];
        t[n / 2] = f[n / 2];
        t[n - 1] = f[n - 1];
    }
}

/* What is to be copied from where to where. */
struct b_piece {
    void *to;
    const void *from;
    size_t n;
};

/* Copies pieces, in their order. The bytes of one do not overlap. */
static inline void b_copy_pieces(const struct b_piece *p, int n)
{
    for (int i = 0; i < n; i++)
        memcpy(p[i].to, p[i].from, p[i].n);
}

/* memcpy past the caches, where the processor can: for bytes of which there are more than caches
 * hold. Afterwards they are visible to others in the same order as by memcpy. */
void b_copy_past(void *restrict to, const void *restrict from, size_t n);

#endif

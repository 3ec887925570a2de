/* SPDX-License-Identifier: MIT */
/* A set of small numbers 0 .. bits-1 in words of the caller's. No locks; nothing waits. */
#ifndef BASE_BITMAP_H
#define BASE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

/* Words of memory for `bits` numbers. */
#define B_BITMAP_WORDS(bits) (((bits) + 63u) / 64u)

struct b_bitmap {
    uint64_t *words;
    uint32_t bits;
    uint32_t full; /* all numbers below are present */
};

/* `words` has B_BITMAP_WORDS(bits) words and must outlive the bitmap; all numbers start absent. */
void b_bitmap_init(struct b_bitmap *m, uint64_t *words, uint32_t bits);

/* 0 <= i < bits */
static inline bool b_bitmap_test(const struct b_bitmap *m, uint32_t i)
{
    return (m->words[i / 64] >> (i % 64) & 1) != 0;
}

/* Makes i < bits present, or absent; it may be so already. */
static inline void b_bitmap_set(struct b_bitmap *m, uint32_t i)
{
    m->words[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void b_bitmap_clear(struct b_bitmap *m, uint32_t i)
{
    m->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
    if (i < m->full)
        m->full = i;
}

/* The smallest number >= from that is present, -1 if there is none. from may be >= bits. */
int b_bitmap_next(const struct b_bitmap *m, uint32_t from);

/* The same for the n numbers from..from+n-1, from + n <= bits: looks no further; and the smallest
 * of them that is absent. */
int b_bitmap_any(const struct b_bitmap *m, uint32_t from, uint32_t n);
int b_bitmap_any_free(const struct b_bitmap *m, uint32_t from, uint32_t n);

/* The start of the first `n` >= 1 neighbouring absent numbers, which become present; -1 if there
 * are not so many in a row. */
int b_bitmap_take_run(struct b_bitmap *m, uint32_t n);

/* How many numbers are present. */
uint32_t b_bitmap_count(const struct b_bitmap *m);

#endif

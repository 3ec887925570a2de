/* SPDX-License-Identifier: MIT */
#include <base/bitmap.h>

void b_bitmap_init(struct b_bitmap *m, uint64_t *words, uint32_t bits)
{
    m->words = words;
    m->bits = bits;
    m->full = 0;
    for (uint32_t i = 0; i < B_BITMAP_WORDS(bits); i++)
        words[i] = 0;
}

/* Position of the lowest bit of a word that is not 0. By hand: without a C library the processor's
 * instruction may be missing and the compiler's helper with it. */
static uint32_t lowest_bit(uint64_t word)
{
    uint32_t position = 0;
    for (uint32_t half = 32; half > 0; half /= 2) {
        if ((word & ((UINT64_C(1) << half) - 1)) == 0) {
            word >>= half;
            position += half;
        }
    }
    return position;
}

/* The smallest number in [from, end) whose bit, xor `flip`, is 1. */
static int next(const struct b_bitmap *m, uint32_t from, uint32_t end, uint64_t flip)
{
    for (uint32_t i = from; i < end; i = (i / 64 + 1) * 64) {
        uint64_t word = (m->words[i / 64] ^ flip) & (UINT64_MAX << (i % 64));
        if (word != 0) {
            uint32_t found = i / 64 * 64 + lowest_bit(word);
            return found < end ? (int)found : -1;
        }
    }
    return -1;
}

int b_bitmap_next(const struct b_bitmap *m, uint32_t from)
{
    return next(m, from, m->bits, 0);
}

static int next_free(const struct b_bitmap *m, uint32_t from)
{
    return next(m, from, m->bits, UINT64_MAX);
}

int b_bitmap_any(const struct b_bitmap *m, uint32_t from, uint32_t n)
{
    return next(m, from, from + n, 0);
}

int b_bitmap_any_free(const struct b_bitmap *m, uint32_t from, uint32_t n)
{
    return next(m, from, from + n, UINT64_MAX);
}

int b_bitmap_take_run(struct b_bitmap *m, uint32_t n)
{
    int start = next_free(m, m->full);
    m->full = start < 0 ? m->bits : (uint32_t)start;
    while (start >= 0 && n <= m->bits - (uint32_t)start) {
        int used = b_bitmap_any(m, (uint32_t)start, n);
        if (used < 0) {
            for (uint32_t i = 0; i < n; i++)
                b_bitmap_set(m, (uint32_t)start + i);
            return start;
        }
        start = next_free(m, (uint32_t)used);
    }
    return -1;
}

uint32_t b_bitmap_count(const struct b_bitmap *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < B_BITMAP_WORDS(m->bits); i++)
        for (uint64_t word = m->words[i]; word != 0; word &= word - 1)
            count++;
    return count;
}

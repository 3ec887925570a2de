/* SPDX-License-Identifier: MIT */
/* A set of up to 4,096 numbers, a bit each, and for each word of bits a bit that tells whether it
 * has any: so a search looks at two words, or three. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include <stdint.h>

static inline void sim_bits_add(uint64_t *words, uint64_t bits[], unsigned n)
{
    bits[n / 64] |= UINT64_C(1) << (n % 64);
    *words |= UINT64_C(1) << (n / 64);
}

static inline void sim_bits_remove(uint64_t *words, uint64_t bits[], unsigned n)
{
    bits[n / 64] &= ~(UINT64_C(1) << (n % 64));
    if (bits[n / 64] == 0)
        *words &= ~(UINT64_C(1) << (n / 64));
}

/* The first member from `from` on, and if there is none the first of all; -1: the set is empty. */
static inline int sim_bits_from(uint64_t words, const uint64_t bits[], unsigned from)
{
    unsigned word = from / 64;
    uint64_t here = bits[word] >> (from % 64);
    if (here != 0)
        return (int)from + __builtin_ctzll(here);
    if (words == 0)
        return -1;
    uint64_t behind = words & (UINT64_MAX << word << 1);
    word = (unsigned)__builtin_ctzll(behind != 0 ? behind : words);
    return (int)(word * 64) + __builtin_ctzll(bits[word]);
}

#endif

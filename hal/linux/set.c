/* SPDX-License-Identifier: MIT */
/* Sets of clusters in the mapping: several processes change them, one searches. */
#include "port.h"

int lx_set_next_wide(atomic_ullong *set, int clusters, int first)
{
    int words = (clusters + 63) / 64;
    first = first >= clusters ? 0 : first;
    for (int i = 0; i <= words; i++) {
        int w = (first / 64 + i) % words;
        uint64_t bits = atomic_load_explicit(&set[w], memory_order_acquire);
        if (i == 0)
            bits &= UINT64_MAX << (first % 64);
        if (bits != 0)
            return w * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

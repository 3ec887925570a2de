/* SPDX-License-Identifier: MIT */
/* A table of numbers by keys of two words, in memory of the layer's own: open addressing, half of
 * it free. Nothing is taken out. Zero is a table without memory. Whoever uses one holds the lock of
 * the rank that it belongs to. */
#ifndef IMAGES_PROFILE_TABLE_H
#define IMAGES_PROFILE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct profile_entry {
    uint64_t key, more; /* key 0: free */
    uint64_t value;     /* 0 at first */
};

struct profile_table {
    struct profile_entry *entry;
    uint64_t mask, used; /* a power of 2 less 1 */
};

/* Makes room for the first entries, which there must be before one is looked for; false: no
 * memory. */
bool profile_table_begin(struct profile_table *t);

/* The entry of that key, or the free one where it would be. */
struct profile_entry *profile_table_find(const struct profile_table *t, uint64_t key,
                                         uint64_t more);

/* The entry of that key, from now on there; NULL: no memory. Others may have moved. It makes room
 * for the first ones, too. */
struct profile_entry *profile_table_take(struct profile_table *t, uint64_t key, uint64_t more);

/* Where it is looked for first. Keys that differ in the last bit alone are neighbours. */
static inline __attribute__((always_inline)) struct profile_entry *
profile_table_first(const struct profile_table *t, uint64_t key, uint64_t more)
{
    uint64_t at = (key ^ more * UINT64_C(0x9e3779b97f4a7c15)) >> 32 ^ (key & 1);
    return &t->entry[at & t->mask];
}

#endif

/* SPDX-License-Identifier: MIT */
/* A ring of cache lines with many producers and one consumer: how messages get to a core from all
 * other cores with which it shares memory, in its process or in another one. It holds no pointers
 * but those that only its consumer uses, so it may lie in memory that processes map at different
 * addresses.
 *
 * A producer moves `tail`, which the consumer never touches, to get entries, fills them, and writes
 * the `sequence` of the first one last: that makes them the consumer's. The consumer knows which
 * the next entry will have, so a short message moves one line between two caches. It counts what it
 * took in `head`, which producers read only when they know of no free entry.
 *
 * Nothing here waits. A producer that is stopped between claim and give stops the consumer at that
 * entry until it goes on. */
#ifndef MPIUTIL_SHARED_RING_H
#define MPIUTIL_SHARED_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/assert.h>
#include <base/config.h>
#include <base/mem.h>
#include <base/watch.h>
#include <mpiutil/wire.h>

#define MPU_ENTRY_DATA 24 /* bytes of a message in its first entry */
#define MPU_ENTRY_MORE 60 /* ... and in each further one */

struct mpu_entry {
    _Atomic(uint32_t) sequence; /* how often an entry of the ring was filled so far; written last */
    /* In further entries of a message all after `sequence` is data. */
    uint16_t to;      /* rank, by its place in the consumer's cluster */
    uint16_t content; /* mpu_entry_fill: its load and how many bytes of data */
    struct mpu_wire wire;
    union {
        uint8_t data[MPU_ENTRY_DATA];
        void *pointer;  /* of the consumer's process */
        uint64_t place; /* an offset in memory that both map */
    };
};
_Static_assert(sizeof(struct mpu_entry) == KERN_LINE, "an entry is a line");

#define MPU_ENTRY_LOADS 16 /* what entries may carry: whoever uses the ring knows */

/* Whom it is for, its load, and bytes of data in this entry and the further ones, below 4096. In
 * one word: what is only partly written must be read before. */
static inline void mpu_entry_fill(struct mpu_entry *e, uint16_t to, unsigned int load,
                                  uint32_t bytes)
{
    b_assert(load < MPU_ENTRY_LOADS && bytes <= UINT16_MAX / MPU_ENTRY_LOADS);
    e->to = to;
    e->content = (uint16_t)(bytes * MPU_ENTRY_LOADS + load);
}

static inline unsigned int mpu_entry_load(const struct mpu_entry *e)
{
    return e->content % MPU_ENTRY_LOADS;
}

static inline uint32_t mpu_entry_bytes(const struct mpu_entry *e)
{
    return e->content / MPU_ENTRY_LOADS;
}

#define MPU_RING_CLUSTERS 1024 /* that may wait for room */

/* Of these, a bit each, in words that every processor changes at once. */
enum { MPU_RING_BITS = 8 * sizeof(uintptr_t), MPU_RING_WORDS = MPU_RING_CLUSTERS / MPU_RING_BITS };

struct mpu_ring {
    /* Producers. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) tail; /* entries that were claimed */
    _Atomic(uint32_t) room;                     /* `head` as one of them saw it */

    /* Written by the consumer, read by producers that find no room. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) head; /* entries that it has taken */

    /* Producers that wait for room: whether there are any, and their clusters. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) wanted;
    _Atomic(uintptr_t) wanting[MPU_RING_WORDS];

    struct b_watch watch;          /* how the consumer looks at the next entry */
    uintptr_t due[MPU_RING_WORDS]; /* the consumer's: clusters that it has not told yet */
    bool any_due;

    _Alignas(KERN_LINE) uint32_t entries; /* a power of two; constant */
    _Alignas(KERN_LINE) struct mpu_entry entry[];
};

/* Bytes of a ring that has so many bytes of entries at most; 0: not even one. And its construction
 * in zeroed memory, by the consumer; producers may come when it returned. */
size_t mpu_ring_bytes(uint32_t bytes);
void mpu_ring_init(struct mpu_ring *g, uint32_t bytes);

/* The consumer, before producers come: takes the ring's pages, which are those of the NUMA node
 * whose processor touches them first. */
static inline void mpu_ring_own(struct mpu_ring *g)
{
    memset(g->entry, 0, g->entries * sizeof *g->entry);
}

/* Entry number i, counted from the ring's beginning. */
static inline struct mpu_entry *mpu_ring_entry(struct mpu_ring *g, uint32_t i)
{
    return &g->entry[i & (g->entries - 1)];
}

/* How many entries a message with n bytes of data takes. */
static inline uint32_t mpu_ring_need(uint32_t n)
{
    return n <= MPU_ENTRY_DATA ? 1 : 1 + (n - MPU_ENTRY_DATA + MPU_ENTRY_MORE - 1) / MPU_ENTRY_MORE;
}

/* Producer: n entries in a row, the number of the first in *at. False: too few are free. */
bool mpu_ring_claim(struct mpu_ring *g, uint32_t n, uint32_t *at);

/* Producer: puts n bytes of data into the entries claimed from `at` on; the same, out of them, by
 * the consumer. */
void mpu_ring_put(struct mpu_ring *g, uint32_t at, const void *data, uint32_t n);
void mpu_ring_get(struct mpu_ring *g, uint32_t at, void *data, uint32_t n);

/* Consumer: whether entry number `at` is there. */
static inline bool mpu_ring_due(struct mpu_ring *g, uint32_t at)
{
    return atomic_load_explicit(&mpu_ring_entry(g, at)->sequence, memory_order_acquire) == at + 1;
}

/* Producer: the entries are filled. True: the consumer may be asleep, and its core's event is to be
 * raised (base/watch.h). */
static inline bool mpu_ring_give(struct mpu_ring *g, uint32_t at)
{
    b_assert(!mpu_ring_due(g, at));
    atomic_store(&mpu_ring_entry(g, at)->sequence, at + 1);
    return b_watch_asleep(&g->watch);
}

/* Producer: it will probably fill n entries from `at` on. They come into its cache meanwhile, for
 * the consumer had them last, and mpu_ring_give waits for all that was written; all but the first
 * one, at which the consumer looks. */
void mpu_ring_expect(struct mpu_ring *g, uint32_t at, uint32_t n);

/* Producer of that cluster, which found no room: the consumer is to tell it when there is some.
 * False: there is room now. `head` will then differ from *seen. */
bool mpu_ring_want(struct mpu_ring *g, int cluster, uint32_t n, uint32_t *seen);

/* Consumer: all entries before `at` were taken; it watches entry `at`. */
void mpu_ring_taken(struct mpu_ring *g, uint32_t at);

/* Consumer: it will take n entries from `at` on, which probably are there. */
static inline void mpu_ring_ask(struct mpu_ring *g, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        __builtin_prefetch(mpu_ring_entry(g, at + i));
}

/* Consumer, after mpu_ring_taken: the next cluster that is to be told that there is room, as it
 * waited for that, perhaps for the second time; -1: none. */
int mpu_ring_wanted(struct mpu_ring *g);

#endif

/* SPDX-License-Identifier: MIT */
/* A ring of cache lines with many producers and one consumer: how messages get to a core from all
 * other cores with which it shares memory, in its process or in another one. It holds no pointers
 * but those that only its consumer uses, so it may lie in memory that processes map at different
 * addresses.
 *
 * A producer moves `tail`, which the consumer never touches, to get entries, fills them, the first
 * one last, and writes its `sequence`: that makes them the consumer's. The consumer knows which
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
    uint16_t content; /* its load, and how many bytes of data lie in this entry and the next ones */
    struct mpu_wire wire;
    union {
        uint8_t data[MPU_ENTRY_DATA];
        void *pointer;  /* of the consumer's process */
        uint64_t place; /* an offset in memory that both map */
    };
};
_Static_assert(sizeof(struct mpu_entry) == KERN_LINE, "an entry is a line");

#define MPU_ENTRY_LOADS 16 /* what entries may carry: whoever uses the ring knows */

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

/* Producer: what the entries claimed from `at` on hold: for whom, a load, its header (NULL: none)
 * and n bytes of data, below 4096.
 * The first entry is written in one go, at the end, directly before mpu_ring_give: the consumer
 * looks at its line all the time, and takes it away from a producer that has written a part of it
 * and does something else; then it moves three times instead of once. (Two processes, 256 B one
 * way: 190 ns instead of 225, where a line takes 70 ns from one to the other.) */
void mpu_ring_fill(struct mpu_ring *g, uint32_t at, uint16_t to, unsigned int load,
                   const struct mpu_wire *w, const void *data, uint32_t n);

/* Consumer: takes n bytes of data out of the entries from `at` on. */
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
    atomic_store_explicit(&mpu_ring_entry(g, at)->sequence, at + 1, memory_order_release);
    return b_watch_asleep(&g->watch);
}

/* Producer of that cluster, which found no room: the consumer is to tell it when there is some.
 * False: there is room now. `head` will then differ from *seen. */
bool mpu_ring_want(struct mpu_ring *g, int cluster, uint32_t n, uint32_t *seen);

/* Consumer: it has taken all entries before `at`, and watches that one. mpu_ring_taken: they are
 * free, which it need not say at once. mpu_ring_owes: but now, for an eighth of the ring is not, or
 * a producer waits. With less than that the longest message of MPU_INLINE_MAX bytes finds room
 * in a ring that is otherwise empty, so no producer waits for a consumer that sleeps. */
static inline void mpu_ring_watch(struct mpu_ring *g, uint32_t at)
{
    g->watch.word = &mpu_ring_entry(g, at)->sequence;
    g->watch.value = at + 1;
}

static inline bool mpu_ring_owes(const struct mpu_ring *g, uint32_t at)
{
    return at - atomic_load_explicit(&g->head, memory_order_relaxed) > g->entries / 8 ||
           atomic_load_explicit(&g->wanted, memory_order_relaxed);
}

void mpu_ring_taken(struct mpu_ring *g, uint32_t at);

/* Consumer, after mpu_ring_taken: the next cluster that is to be told that there is room, as it
 * waited for that, perhaps for the second time; -1: none. */
int mpu_ring_wanted(struct mpu_ring *g);

#endif

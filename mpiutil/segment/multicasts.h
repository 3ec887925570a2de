/* SPDX-License-Identifier: MIT */
/* The memory of a communicator's multicasts, which its clusters share, and the order in which it is
 * used. Any rank; never waits.
 *
 * A rank tells how far it is: that it has done all calls before some number. Whoever is the root
 * of call n may fill its entry again when all ranks have done the call that had it before. */
#ifndef MPIUTIL_SEGMENT_MULTICASTS_H
#define MPIUTIL_SEGMENT_MULTICASTS_H

#include <mpiutil/multicast.h>

#define CAST_ENTRIES 32
#define CAST_SLOTS   (MPU_CAST_WHOLE / MPU_CAST_SLOT)
#define CAST_TELLS   8 /* a rank tells after so many calls, or when it waits */

/* What a multicast says; few bytes lie in the same cache line. Readers look at that line all the
 * time, so its root writes what it says in one go, after the data. */
struct cast_entry {
    _Alignas(KERN_LINE) _Atomic uint32_t at; /* cast_filled(n); 0: not used yet */
    uint16_t mark;
    uint16_t slots; /* how many the data have (cast_slots_of) */
    struct mpu_signature signature;
    uint8_t data[MPU_CAST_ENTRY];
};
_Static_assert(sizeof(struct cast_entry) % KERN_LINE == 0 &&
                   sizeof(struct cast_entry) - MPU_CAST_ENTRY < KERN_LINE,
               "entries begin in lines of their own, with as much data as fits");

/* Of one that goes in chunks; there is one at a time, as it has all slots. */
struct cast_stream {
    _Alignas(KERN_LINE) _Atomic uint32_t filled;             /* chunks, each in the next slot */
    _Alignas(KERN_LINE) _Atomic uint32_t unread[CAST_SLOTS]; /* ranks that have to copy it yet */
};

struct mpu_multicasts {
    /* Roots only: cast_filled(n) of the last one that an entry, or a slot, was for; 0: none. */
    _Alignas(KERN_LINE) _Atomic uint32_t claimed[CAST_ENTRIES];
    uint32_t slot_filled[CAST_SLOTS];
    struct cast_stream stream;
    struct cast_entry entry[CAST_ENTRIES];
    uint8_t slot[CAST_SLOTS][MPU_CAST_SLOT];
    _Atomic uint32_t done[]; /* by rank, the calls that it has done; 0: it has not come */
};

/* Of `done`: all calls before this one. Never 0; numbers wrap round. */
static inline uint32_t cast_done(uint32_t number)
{
    return number << 1 | 1;
}

/* Of an entry or a slot: when that is reached by all ranks, it may be filled again. */
static inline uint32_t cast_filled(uint32_t number)
{
    return cast_done(number + 1);
}

static inline bool cast_reached(uint32_t done, uint32_t needs)
{
    return done != 0 && (int32_t)(done - needs) >= 0;
}

static inline struct cast_entry *cast_entry_of(struct mpu_multicasts *m, uint32_t number)
{
    return &m->entry[number % CAST_ENTRIES];
}

/* The n slots from `first` on. Data that have one slot each go round an odd number of them: where
 * two ranks, or four, are the root in turn, none is filled by one that filled it last. A processor
 * that takes over lines which it has read fills 64 KB in half the time of one that writes again to
 * its own, of which the reader has a copy. */
struct cast_slots {
    uint32_t first, n;
};
#define CAST_TURNS (CAST_SLOTS - 1)
_Static_assert(CAST_TURNS % 2 == 1, "an odd number");

static inline struct cast_slots cast_slots_of(uint32_t number, uint32_t n)
{
    return (struct cast_slots){n == 1 ? number % CAST_TURNS : 0, n};
}

static inline uint32_t cast_slots_for(uint64_t bytes)
{
    return bytes <= MPU_CAST_ENTRY ? 0 : bytes <= MPU_CAST_SLOT ? 1 : CAST_SLOTS;
}

/* Its root, when they may be filled: takes those for so many bytes. How many. */
static inline uint32_t cast_take_slots(struct mpu_multicasts *m, uint32_t number, uint64_t bytes)
{
    struct cast_slots its = cast_slots_of(number, cast_slots_for(bytes));
    for (uint32_t i = its.first; i < its.first + its.n; i++)
        m->slot_filled[i] = cast_filled(number);
    return its.n;
}

/* What all must have done before the root of a call may fill what bears `filled`. */
static inline uint32_t cast_needs(uint32_t filled, uint32_t number)
{
    return filled ? filled : cast_done(number) - (1u << 30); /* to have come is enough */
}

/* ... before the root of call `number` may give so many bytes, in an entry with this claim. */
static inline uint32_t cast_needs_all(const struct mpu_multicasts *m, uint32_t claim,
                                      uint32_t number, uint64_t bytes)
{
    struct cast_slots its = cast_slots_of(number, cast_slots_for(bytes));
    uint32_t needs = cast_needs(claim, number);
    for (uint32_t i = its.first; i < its.first + its.n; i++) {
        uint32_t slot = cast_needs(m->slot_filled[i], number);
        needs = cast_reached(slot, needs) ? slot : needs;
    }
    return needs;
}

/* Makes an entry with this claim the caller's; false: another rank is root, too. */
static inline bool cast_claim(struct mpu_multicasts *m, uint32_t claim, uint32_t number)
{
    return atomic_compare_exchange_strong_explicit(&m->claimed[number % CAST_ENTRIES], &claim,
                                                   cast_filled(number), memory_order_relaxed,
                                                   memory_order_relaxed);
}

#endif

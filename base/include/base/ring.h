/* SPDX-License-Identifier: MIT */
/* A ring of slots by index: it says which slot of the caller's array comes next and keeps no
 * data. No locks: one core at a time, or the caller's lock. Nothing waits. */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdint.h>

struct b_ring {
    uint32_t slots; /* of the caller's array, >= 1 */
    uint32_t first; /* slot of the oldest element */
    uint32_t used;  /* elements */
};

static inline void b_ring_init(struct b_ring *r, uint32_t slots)
{
    *r = (struct b_ring){.slots = slots};
}

/* Slot of the i-th oldest element, 0 <= i < used. */
static inline uint32_t b_ring_at(const struct b_ring *r, uint32_t i)
{
    uint32_t slot = r->first + i; /* slots <= 2^31: no overflow */
    return slot >= r->slots ? slot - r->slots : slot;
}

/* Takes the slot for a new youngest element: its index, or -1 when all are used. */
static inline int b_ring_push(struct b_ring *r)
{
    if (r->used == r->slots) {
        return -1;
    }
    return (int)b_ring_at(r, r->used++);
}

/* Slot of the oldest element, -1 when there is none; pop also removes it: its content stays
 * until the slot is pushed again. */
static inline int b_ring_peek(const struct b_ring *r)
{
    return r->used == 0 ? -1 : (int)r->first;
}

static inline int b_ring_pop(struct b_ring *r)
{
    int slot = b_ring_peek(r);
    if (slot >= 0) {
        r->first = b_ring_at(r, 1);
        r->used--;
    }
    return slot;
}

#endif

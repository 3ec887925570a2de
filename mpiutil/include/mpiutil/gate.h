/* SPDX-License-Identifier: MIT */
/* A gate counts those who arrive, and the times that it was opened for all of them. It may lie in
 * memory that several processes share; zeroed at first. From any thread; never waits.
 *
 * Whoever arrives looks at `opened` before; it changes when it is released. The last of n closes
 * the meeting, and opens the gate. Until then one that arrived may take that back. */
#ifndef MPIUTIL_GATE_H
#define MPIUTIL_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>

struct mpu_gate {
    /* Arrivals since the gate was opened last; above 16 bits, how often that was. */
    _Alignas(KERN_LINE) _Atomic uint32_t arrived;
    _Alignas(KERN_LINE) _Atomic uint32_t opened; /* how often */
};

static inline uint32_t mpu_gate_releases(const struct mpu_gate *g)
{
    return atomic_load_explicit(&g->opened, memory_order_relaxed);
}

/* `arrived` when n have come after the release `seen`. */
static inline uint32_t mpu_gate_count(uint32_t seen, uint32_t n)
{
    return (seen << 16) + n;
}

/* Arrives, as one of n, having seen so many releases. True: it is the last one, and sees what the
 * others wrote before they arrived. */
static inline bool mpu_gate_arrive(struct mpu_gate *g, uint32_t seen, uint32_t n)
{
    return atomic_fetch_add(&g->arrived, 1) + 1 == mpu_gate_count(seen, n);
}

/* Whether all n have. */
static inline bool mpu_gate_full(const struct mpu_gate *g, uint32_t seen, uint32_t n)
{
    return atomic_load(&g->arrived) == mpu_gate_count(seen, n);
}

/* Takes an arrival back; false: all n have arrived, the release comes, or has come. */
static inline bool mpu_gate_retract(struct mpu_gate *g, uint32_t seen, uint32_t n)
{
    uint32_t now = atomic_load(&g->arrived);
    do {
        if (now >> 16 != (seen & UINT16_MAX) || now == mpu_gate_count(seen, n))
            return false;
    } while (!atomic_compare_exchange_weak(&g->arrived, &now, now - 1));
    return true;
}

/* After all have arrived: lets them go. */
static inline void mpu_gate_open(struct mpu_gate *g)
{
    uint32_t opened = mpu_gate_releases(g) + 1;
    atomic_store_explicit(&g->arrived, mpu_gate_count(opened, 0), memory_order_relaxed);
    atomic_store(&g->opened, opened);
}

/* Whoever arrived since then, and did not take that back, will not come again: nobody has. The
 * same where `opened` alone was used, as a word that changes. */
static inline void mpu_gate_clear(struct mpu_gate *g)
{
    uint32_t none = mpu_gate_count(mpu_gate_releases(g), 0);
    atomic_store_explicit(&g->arrived, none, memory_order_relaxed);
}

/* Whether it was opened after so many times; then what was written before that is visible. */
static inline bool mpu_gate_passed(const struct mpu_gate *g, uint32_t seen)
{
    return atomic_load_explicit(&g->opened, memory_order_acquire) != seen;
}

#endif

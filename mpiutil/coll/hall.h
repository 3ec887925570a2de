/* SPDX-License-Identifier: MIT */
/* A hall, inside mpiutil. */
#ifndef MPIUTIL_COLL_HALL_H
#define MPIUTIL_COLL_HALL_H

#include <mpiutil/hall.h>
#include <sys/k_crowd.h>

#include "rank/rank.h"

/* The members on one core: they are counted and released there, so that a meeting costs other
 * cores one line. Its first line is of this core only. */
struct mpu_hall_core {
    _Alignas(KERN_LINE) int16_t members;
    int16_t arrived;
    unsigned int round; /* the last release that they know of */
    /* 1 + number of the operation that those are at who are here; 0: nobody. Others may look. */
    _Atomic uint32_t at;
    bool differ;          /* one did not say what the first one said */
    bool agreed;          /* at the last release: all members said the same */
    struct mpu_said said; /* by the first to arrive */
    struct k_crowd crowd;

    /* Mostly constant. */
    _Alignas(KERN_LINE) uint8_t *operands[2]; /* by parity of the round: what they leave here */
    const void **shown;                       /* ... or where it is; by seat */
    int *member;                              /* by seat: number among all members */
    uint64_t other;           /* if they differ: bytes that not the first one said */
    struct mpu_rank *watcher; /* who looks for the release; valid while ... */
    atomic_bool sleeps;       /* ... it wants to be rung for it */
};

static inline struct mpu_hall_core *mpu_hall_core_of(struct mpu_hall *h, const struct mpu_rank *r)
{
    return &h->core[r->core];
}

static inline uint32_t mpu_hall_at(const struct mpu_hall_core *core)
{
    return atomic_load_explicit(&core->at, memory_order_relaxed);
}

static inline bool mpu_same_said(const struct mpu_said *a, const struct mpu_said *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && a->terms == b->terms;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A hall, inside mpiutil. */
#ifndef MPIUTIL_COLL_HALL_H
#define MPIUTIL_COLL_HALL_H

#include <stddef.h>

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

    /* Of this core only; by the first to arrive. */
    _Alignas(KERN_LINE) struct mpu_words words;
    const char *call, *comm; /* struct mpu_doing */
};

static inline struct mpu_hall_core *mpu_hall_core_of(struct mpu_hall *h, const struct mpu_rank *r)
{
    return &h->core[r->core];
}

/* What those do who wait in a crowd: it is that of a core in a hall. */
static inline struct mpu_doing mpu_hall_doing(const struct k_crowd *c)
{
    const struct mpu_hall_core *core =
        (const struct mpu_hall_core *)((const uint8_t *)c - offsetof(struct mpu_hall_core, crowd));
    return (struct mpu_doing){core->call, core->comm, MPU_ANY, MPU_ANY, core->said.bytes};
}

static inline uint32_t mpu_hall_at(const struct mpu_hall_core *core)
{
    return atomic_load_explicit(&core->at, memory_order_relaxed);
}

static inline bool mpu_same_words(const struct mpu_words *a, const struct mpu_words *b)
{
    return a->kind == b->kind && a->count == b->count && a->what == b->what;
}

static inline bool mpu_same_said(const struct mpu_said *a, const struct mpu_said *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && a->terms == b->terms;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A segment, inside mpiutil. */
#ifndef MPIUTIL_SEGMENT_CLUSTER_H
#define MPIUTIL_SEGMENT_CLUSTER_H

#include <stddef.h>

#include <mpiutil/segment.h>
#include <sys/k_crowd.h>

#include "rank/rank.h"

/* The members on one core: they are counted and released there without atomic operations, so that a
 * meeting costs other cores one line. Its first line is of this core only. */
struct mpu_core_slot {
    _Alignas(KERN_LINE) int16_t members;
    int16_t arrived;
    unsigned int round; /* the last release that they know of */
    /* The call that those are at who are here (mpu_at_call); 0: nobody. Others may look. */
    _Atomic uint32_t at;
    bool differ;                    /* one has another signature than the first one */
    struct mpu_signature signature; /* of the first to arrive */
    struct k_crowd crowd;

    /* Mostly constant. */
    _Alignas(KERN_LINE) uint8_t *operands; /* what they leave here */
    const void **shown;                    /* ... or where it is; by index */
    int *member;                           /* by index: number among all members */
    struct mpu_signature other;            /* if they differ: that of another one */
    /* Who looks for the release, set before it says that it wants to be rung for that. Who releases
     * may be late with its look at it, and rings the next one, which minds nothing. */
    _Atomic(struct mpu_rank *) watcher;
    atomic_bool sleeps;
};

static inline struct mpu_core_slot *mpu_core_slot_of(struct mpu_segment *s,
                                                     const struct mpu_rank *r)
{
    return &s->core[r->core];
}

/* The word that tells at which call somebody is; 0: at none. Of two such the one that is later. */
static inline uint32_t mpu_at_call(uint32_t number)
{
    return 2 * number + 1;
}

static inline bool mpu_later(uint32_t at, uint32_t than)
{
    return at && (!than || (int32_t)(at - than) > 0);
}

/* Of one with this signature: nobody has another one so far. The signatures are left as they are:
 * a processor that reads in one go what was just written in parts waits for it, and to copy two of
 * them takes a sixth of a barrier. */
static inline void mpu_outcome_begin(struct mpu_outcome *o, const struct mpu_signature *own)
{
    o->agreed = true;
    o->busy = own->busy;
    o->why = 0;
}

/* Notes that another one is not the same. */
void mpu_outcome_differs(struct mpu_outcome *o, const struct mpu_signature *own,
                         const struct mpu_signature *other);

/* Notes another one, if it is not the same. */
static inline void mpu_outcome_compare(struct mpu_outcome *o, const struct mpu_signature *own,
                                       const struct mpu_signature *other)
{
    o->busy |= other->busy;
    if (!mpu_same_signature(own, other))
        mpu_outcome_differs(o, own, other);
}

/* Finds, or founds, where the leaders of the clusters of s meet: s->shared, s->has_staging. The
 * first member of any cluster that leaves closes it to those who look for it; after the last one it
 * is free. */
void mpu_leaders_join(const struct mpu_rank *r, struct mpu_segment *s);
void mpu_leaders_close(struct mpu_segment *s);
void mpu_leaders_leave(struct mpu_segment *s);

/* The part of mpu_segment_meet between clusters: their leaders meet once more. Waits. */
void mpu_leaders_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v);

/* Frees what communicators left that were never freed; no rank runs any more. */
void mpu_segments_free(struct mpu_cluster *c);

#endif

/* SPDX-License-Identifier: MIT */
/* Where the rings, staging buffers and slabs of a machine's cores lie in the memory that its
 * clusters share: behind the meetings of leaders, an equal share for each core. All clusters find
 * the same. */
#ifndef MPIUTIL_SHARED_PLACE_H
#define MPIUTIL_SHARED_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include <base/assert.h>
#include <sys/k_board.h>
#include <mpiutil/segment.h>
#include <sys/k_info.h>

#include "shared/ring.h"
#include "shared/slab.h"

/* Bytes of a staging buffer for each rank of its cluster, at most: what is longer leaves the
 * caches. */
#define MPU_STAGING_EACH (256u * 1024)

struct mpu_place_map {
    uint8_t *at;                 /* the first share; NULL: there is no memory, or too little */
    size_t share;                /* bytes of a core: its ring, its two staging buffers, its slab */
    size_t ring, staging;        /* of these, the ring's, and the data's in one buffer */
    int cores;                   /* of a cluster */
    int shares;                  /* of all clusters */
    struct mpu_slab_shape shape; /* of a slab */
};

/* Finds room for rings with so many bytes of entries, for a job of so many ranks; *board keeps what
 * is left for meetings. `at` is NULL: such rings cannot hold the longest message, or there is no
 * room for them. */
struct mpu_place_map mpu_places(const struct k_info *info, int ranks, uint32_t entries,
                                struct k_board *board);

/* The number of a core's share, its ring, its staging buffers (number 0 and 1), its slab and where
 * that begins in the share. */
static inline int mpu_place_number(const struct mpu_place_map *m, int cluster, int core)
{
    return cluster * m->cores + core;
}

static inline struct mpu_ring *mpu_place_ring(const struct mpu_place_map *m, int number)
{
    b_assert(number >= 0 && number < m->shares);
    return (struct mpu_ring *)(m->at + (size_t)number * m->share);
}

static inline struct mpu_staging *mpu_place_staging(const struct mpu_place_map *m, int number,
                                                    int i)
{
    b_assert(number >= 0 && number < m->shares && (i == 0 || i == 1));
    size_t each = sizeof(struct mpu_staging) + m->staging;
    return (struct mpu_staging *)(m->at + (size_t)number * m->share + m->ring + (size_t)i * each);
}

static inline size_t mpu_place_slab_at(const struct mpu_place_map *m)
{
    return m->ring + 2 * (sizeof(struct mpu_staging) + m->staging);
}

static inline uint8_t *mpu_place_slab(const struct mpu_place_map *m, int number)
{
    return m->at + (size_t)number * m->share + mpu_place_slab_at(m);
}

#endif

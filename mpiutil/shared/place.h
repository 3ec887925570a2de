/* SPDX-License-Identifier: MIT */
/* Where the rings and slabs of a machine's cores lie in the memory that its clusters share: behind
 * the meetings of leaders, an equal share for each core. All clusters find the same. */
#ifndef MPIUTIL_SHARED_PLACE_H
#define MPIUTIL_SHARED_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include <sys/k_board.h>
#include <sys/k_info.h>

#include "shared/ring.h"
#include "shared/slab.h"

struct mpu_place_map {
    uint8_t *at;                 /* the first share; NULL: there is no memory, or too little */
    size_t share;                /* bytes of a core: its ring, then its slab */
    size_t ring;                 /* of these, the ring's */
    int cores;                   /* of a cluster */
    int shares;                  /* of all clusters */
    struct mpu_slab_shape shape; /* of a slab */
};

/* Finds room for rings with so many bytes of entries; *board keeps what is left for those. */
struct mpu_place_map mpu_places(const struct k_info *info, uint32_t entries, struct k_board *board);

/* The number of a core's share, its ring and its slab. */
static inline int mpu_place_number(const struct mpu_place_map *m, int cluster, int core)
{
    return cluster * m->cores + core;
}

static inline struct mpu_ring *mpu_place_ring(const struct mpu_place_map *m, int number)
{
    return (struct mpu_ring *)(m->at + (size_t)number * m->share);
}

static inline uint8_t *mpu_place_slab(const struct mpu_place_map *m, int number)
{
    return m->at + (size_t)number * m->share + m->ring;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Sends and wants of a rank by a number, their key (wire.marked of their arrivals): rings whose
 * number grows with theirs, in a program that has mpu_index_grow (protocol.h), so that each is
 * found in nearly the same time. Those of one key are in the order of their `order`. Rank's thread
 * only. */
#ifndef MPIUTIL_PROTOCOL_INDEX_H
#define MPIUTIL_PROTOCOL_INDEX_H

#include "rank/rank.h"

/* The place of the ring of a key: leads to its last member, whose `next` is the first; NULL: there
 * is none. */
struct mpu_arrival **mpu_index_ring(struct mpu_index *x, uint64_t key);

/* Puts a in, by this key, and makes more rings if they are long; r: NULL: there is to be one. Takes
 * it out. */
void mpu_index_put(struct mpu_rank *r, struct mpu_index *x, struct mpu_arrival *a, uint64_t key);
void mpu_index_take(struct mpu_index *x, const struct mpu_arrival *a);

/* The oldest one with this key in the bits of `of`; NULL: none. Looks only at the key's ring if
 * the lower half is among them. The highest bit makes no difference to it. */
#define MPU_INDEX_KEY UINT64_MAX
struct mpu_arrival *mpu_index_find(struct mpu_index *x, uint64_t key, uint64_t of);

#endif

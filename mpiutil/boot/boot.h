/* SPDX-License-Identifier: MIT */
/* The start and the end of a cluster's ranks, inside mpiutil. */
#ifndef MPIUTIL_BOOT_BOOT_H
#define MPIUTIL_BOOT_BOOT_H

#include <mpiutil/boot.h>

#include "rank/rank.h"

/* What a rank takes of its cluster's memory before its first message, beside its stack. */
size_t mpu_rank_bytes(const struct mpu_cluster *c);

/* The clusters with ranks in order: which one is the i-th, and which one is this. */
int mpu_cluster_at(const struct mpu_cluster *c, int i);
int mpu_cluster_index(const struct mpu_cluster *c);

/* Waits for all ranks of c, which must be all that there are, by number, or have one rank. */
void mpu_barrier(struct mpu_rank *r, const struct mpu_comm *c);

#endif

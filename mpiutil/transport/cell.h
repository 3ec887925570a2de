/* SPDX-License-Identifier: MIT */
/* Cells: the bounded memory of messages that arrived before they were asked for. */
#ifndef MPIUTIL_TRANSPORT_CELL_H
#define MPIUTIL_TRANSPORT_CELL_H

#include "rank/rank.h"

/* The first cells for the network. 0, or -B_ENOMEM. */
int mpu_cells_begin(struct mpu_rank *r);

/* How many blocks of cells each of `locals` ranks may fill for its neighbours. */
int mpu_cell_local_blocks(int locals, size_t memory);

/* A free cell for the network, from the pool or from a new block; NULL: the cluster's memory is
 * full. Rank's thread only. */
struct mpu_cell *mpu_cell_take(struct mpu_rank *r);

/* The next one would take memory of which little is left. Core. */
bool mpu_cells_short(const struct mpu_rank *r);

/* Bytes of a cell for messages of at most so many bytes. */
uint32_t mpu_cell_bytes(uint32_t most);

/* A free cell for messages to ranks of the cluster; NULL: as many as the rank may have are under
 * way. must: for what has no other way; NULL: the cluster's memory is full. */
struct mpu_cell *mpu_cell_take_local(struct mpu_rank *r, bool must);

/* Gives back what an arrival occupied, once its payload is no longer needed: a cell returns to
 * its pool; a sender of the same cluster that waits is told that its buffer is free. On the core of
 * r, the receiver. */
void mpu_arrival_end(struct mpu_rank *r, struct mpu_arrival *a);

/* The payload of an arrival of kind MPU_EAGER. */
static inline const uint8_t *mpu_payload(const struct mpu_arrival *a)
{
    return ((const struct mpu_cell *)a)->payload;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Cells: the bounded memory of messages that arrived before they were asked for. */
#ifndef MPIUTIL_PROGRESS_CELL_H
#define MPIUTIL_PROGRESS_CELL_H

#include "rank/rank.h"

#define MPU_CELLS_NET   8 /* a rank's for the network, if there is one; more by pages */
#define MPU_CELLS_LOCAL 6 /* a rank's for messages to its neighbours; more by pages, too */

/* Bytes of the first cells and the peers of a rank, and their construction in zeroed memory for all
 * ranks of the cluster. */
size_t mpu_cells_bytes(const struct mpu_cluster *c);
void mpu_cells_init(struct mpu_cluster *c, uint8_t *memory);

/* How many pages of cells each of `locals` ranks may fill for its neighbours. */
int mpu_cell_local_pages(int locals, size_t memory);

/* A free cell for the network, from the pool or from a new page; NULL: the cluster's memory is
 * full. Rank's thread only. */
struct mpu_cell *mpu_cell_take(struct mpu_rank *r);

/* A new page of *n cells, not yet constructed, while a quarter of the cluster's memory stays free;
 * NULL. */
struct mpu_cell *mpu_cell_page(uint32_t *n);

/* A free cell for messages to ranks of the cluster; NULL: as many as the rank may have are under
 * way. */
struct mpu_cell *mpu_cell_take_local(struct mpu_rank *r);

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

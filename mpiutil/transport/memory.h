/* SPDX-License-Identifier: MIT */
/* Messages through memory that the clusters of a machine share (sys/k_board.h), as the processes of
 * a computer do. Each core has a ring there, in which it finds what other clusters send to its
 * ranks (lane.h), and a slab of cells, for what its own ranks send (slab.h):
 *
 *     up to MPU_EAGER_MAX bytes   in the entries of the receiver's ring; counted (credit.h), as
 *                                 they take memory of the receiver that does not want them yet
 *     up to the cell limit        in a cell of the sender's slab, which the entry names
 *     more                        rendezvous, whose headers go as above
 *
 * Who finds a ring full keeps the message, is `outbox_busy`, and is told when there is room.
 * docs/linux.md, Messages between processes. */
#ifndef MPIUTIL_TRANSPORT_MEMORY_H
#define MPIUTIL_TRANSPORT_MEMORY_H

#include "rank/rank.h"

/* Ends the job if what came, with so many bytes of payload, is no message; takes the credit that it
 * brings. */
void mpu_memory_check(struct mpu_rank *r, const struct mpu_wire *w, uint32_t bytes);

/* The arrival of a message that lies in a cell at that place, checked in the same way. And when it
 * has been received. */
struct mpu_arrival *mpu_memory_arrival(struct mpu_rank *r, const struct mpu_wire *w,
                                       uint64_t place);
void mpu_memory_arrival_end(struct mpu_rank *r, struct mpu_arrival *a);

#endif

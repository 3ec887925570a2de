/* SPDX-License-Identifier: MIT */
/* Nonblocking and persistent operations of few bytes in shared memory: the ranks meet in channels
 * (mpiutil/channel.h), by the forms of the blocking ones (segment.h). Nonblocking broadcasts and
 * scatters are multicasts there (multicast.c). docs/collectives.md. */
#ifndef MPI_COLL_CHANNEL_H
#define MPI_COLL_CHANNEL_H

#include <mpiutil/multicast.h>

#include "coll/segment.h"

extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_barrier_channel,
    mpi_coll_allreduce_channel, mpi_coll_reduce_scatter_channel, mpi_coll_allgather_channel,
    mpi_coll_alltoall_channel, mpi_coll_scan_channel, mpi_coll_exscan_channel;

/* Operations that have something one at a time, in the order in which they came: the first one has
 * it, the others wait behind it. */
struct mpi_queue {
    struct mpi_coll *first, *last;
};

/* In a step of c's flow. enter: false: the flow is held until c is the first one. */
bool mpi_queue_enter(struct mpi_queue *q, struct mpi_coll *c);
void mpi_queue_leave(struct mpi_coll *c);

/* The multicasts of a communicator: one at a time, the first one of the queue. */
struct mpi_casts {
    struct mpi_queue queue;
    struct mpu_caster *at;
    struct mpu_cast now;
};

/* Whether c, which does not wait, may meet in channels, or be a multicast there, as far as that
 * goes by the ranks: they are processes of one rank each, which share memory. All ranks alike. */
bool mpi_channels_may_do(const struct mpi_coll *c);

/* In the first step: where c is a multicast; its place.number is filled in. NULL: it goes on by
 * messages, or is broken, and that step ends with *step. */
struct mpi_casts *mpi_casts_join(struct mpi_coll *c, int *step);

/* c, which is under way, cannot end well, on any rank: it leaves its queue. */
B_IF_LINKED void mpi_channel_broken(struct mpi_coll *c);

#endif

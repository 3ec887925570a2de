/* SPDX-License-Identifier: MIT */
/* Nonblocking and persistent operations of few bytes in shared memory: the ranks meet in channels
 * (mpiutil/channel.h), by the forms of the blocking ones (segment.h). docs/collectives.md. */
#ifndef MPI_COLL_CHANNEL_H
#define MPI_COLL_CHANNEL_H

#include "coll/segment.h"

extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_barrier_channel,
    mpi_coll_allreduce_channel, mpi_coll_reduce_scatter_channel, mpi_coll_allgather_channel,
    mpi_coll_alltoall_channel, mpi_coll_scan_channel, mpi_coll_exscan_channel;

/* c, which is under way, cannot end well, on any rank: it leaves its channel. */
B_IF_LINKED void mpi_channel_broken(struct mpi_coll *c);

#endif

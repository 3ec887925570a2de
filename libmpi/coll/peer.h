/* SPDX-License-Identifier: MIT */
/* Exchanges inside one cluster (peer.c): each shows its operation, all meet, each reads what is for
 * it straight from the others' buffers, and all meet again before the buffers may change. */
#ifndef MPI_COLL_PEER_H
#define MPI_COLL_PEER_H

#include "coll/segment.h"

/* A blocking operation of ranks that all live here. */
bool mpi_peer_applies(const struct mpi_coll *c);

extern const struct mpi_coll_algorithm mpi_coll_alltoall_peer, mpi_coll_allgather_peer,
    mpi_coll_gather_peer, mpi_coll_scatter_peer, mpi_coll_allreduce_peer;

/* Of predefined operations that commute (peer_reduce.c): n elements, from number `from` on, of what
 * all contribute, reduced to `to`, where the own ones may be. */
bool mpi_peer_reduces(const struct mpi_coll *c);
void mpi_peer_reduce(struct mpi_coll *c, MPI_Count from, MPI_Count n, uint8_t *to);

#endif

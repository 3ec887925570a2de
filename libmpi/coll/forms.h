/* SPDX-License-Identifier: MIT */
/* What a function of the standard calls: the operation it is about, blocking, nonblocking or
 * persistent. All return an error class, raised on the communicator. */
#ifndef MPI_COLL_FORMS_H
#define MPI_COLL_FORMS_H

#include "coll/args.h"

struct mpi_coll_kind;

/* Blocking; waits. */
int mpi_coll_run(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a);

/* Nonblocking: started; the request is done when the operation is. */
int mpi_coll_start(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a,
                   MPI_Request *request);

/* Persistent: an inactive request, started by MPI_Start. */
int mpi_coll_init(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a, MPI_Info info,
                  MPI_Request *request);

extern const struct mpi_coll_kind mpi_coll_barrier, mpi_coll_bcast, mpi_coll_gather,
    mpi_coll_gatherv, mpi_coll_scatter, mpi_coll_scatterv, mpi_coll_allgather, mpi_coll_allgatherv,
    mpi_coll_alltoall, mpi_coll_alltoallv, mpi_coll_alltoallw, mpi_coll_reduce, mpi_coll_allreduce,
    mpi_coll_reduce_scatter, mpi_coll_reduce_scatter_block, mpi_coll_scan, mpi_coll_exscan,
    mpi_coll_neighbor_allgather, mpi_coll_neighbor_allgatherv, mpi_coll_neighbor_alltoall,
    mpi_coll_neighbor_alltoallv, mpi_coll_neighbor_alltoallw;

#endif

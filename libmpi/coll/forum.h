/* SPDX-License-Identifier: MIT */
/* Forms for ranks that share processors but no cluster (forum.c). */
#ifndef MPI_COLL_FORUM_H
#define MPI_COLL_FORUM_H

#include "coll/kind.h"

extern const struct mpi_coll_algorithm mpi_coll_barrier_forum, mpi_coll_reduce_forum,
    mpi_coll_allreduce_forum;

#endif

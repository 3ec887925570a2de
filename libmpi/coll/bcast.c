/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Bcast = PMPI_Bcast
#pragma weak MPI_Bcast_c = PMPI_Bcast_c

int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_bcast,
                        &(struct mpi_coll_args){.call = "MPI_Bcast",
                                                .comm = comm,
                                                .recv = mpi_even(buffer, count, datatype),
                                                .root = root});
}

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_bcast,
                        &(struct mpi_coll_args){.call = "MPI_Bcast_c",
                                                .comm = comm,
                                                .recv = mpi_even(buffer, count, datatype),
                                                .root = root});
}

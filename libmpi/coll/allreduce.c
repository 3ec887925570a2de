/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Allreduce = PMPI_Allreduce
#pragma weak MPI_Allreduce_c = PMPI_Allreduce_c

int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_allreduce,
                        &(struct mpi_coll_args){.call = "MPI_Allreduce",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_allreduce,
                        &(struct mpi_coll_args){.call = "MPI_Allreduce_c",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

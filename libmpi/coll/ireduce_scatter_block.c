/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
#pragma weak MPI_Ireduce_scatter_block_c = PMPI_Ireduce_scatter_block_c

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce_scatter_block,
                          &(struct mpi_coll_args){.call = "MPI_Ireduce_scatter_block",
                                                  .comm = comm,
                                                  .send = {.buf = sendbuf},
                                                  .recv = mpi_even(recvbuf, recvcount, datatype),
                                                  .op = op},
                          request);
}

int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce_scatter_block,
                          &(struct mpi_coll_args){.call = "MPI_Ireduce_scatter_block_c",
                                                  .comm = comm,
                                                  .send = {.buf = sendbuf},
                                                  .recv = mpi_even(recvbuf, recvcount, datatype),
                                                  .op = op},
                          request);
}

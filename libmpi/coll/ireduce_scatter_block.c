/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
#pragma weak MPI_Ireduce_scatter_block_c = PMPI_Ireduce_scatter_block_c

static int ireduce_scatter_block(const char *call, const void *sendbuf, void *recvbuf,
                                 MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce_scatter_block,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = {.buf = sendbuf},
                                                  .recv = mpi_even(recvbuf, recvcount, datatype),
                                                  .op = op},
                          request);
}

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request)
{
    return ireduce_scatter_block("MPI_Ireduce_scatter_block", sendbuf, recvbuf, recvcount, datatype,
                                 op, comm, request);
}

int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 MPI_Request *request)
{
    return ireduce_scatter_block("MPI_Ireduce_scatter_block_c", sendbuf, recvbuf, recvcount,
                                 datatype, op, comm, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
#pragma weak MPI_Reduce_scatter_block_init_c = PMPI_Reduce_scatter_block_init_c

static int reduce_scatter_block_init(const char *call, const void *sendbuf, void *recvbuf,
                                     MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_reduce_scatter_block,
                         &(struct mpi_coll_args){.call = call,
                                                 .comm = comm,
                                                 .send = {.buf = sendbuf},
                                                 .recv = mpi_even(recvbuf, recvcount, datatype),
                                                 .op = op},
                         info, request);
}

int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    return reduce_scatter_block_init("MPI_Reduce_scatter_block_init", sendbuf, recvbuf, recvcount,
                                     datatype, op, comm, info, request);
}

int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                     MPI_Request *request)
{
    return reduce_scatter_block_init("MPI_Reduce_scatter_block_init_c", sendbuf, recvbuf, recvcount,
                                     datatype, op, comm, info, request);
}

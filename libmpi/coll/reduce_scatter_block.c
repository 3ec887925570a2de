/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_scatter_block = PMPI_Reduce_scatter_block
#pragma weak MPI_Reduce_scatter_block_c = PMPI_Reduce_scatter_block_c

static int reduce_scatter_block(const char *call, const void *sendbuf, void *recvbuf,
                                MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_reduce_scatter_block,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = {.buf = sendbuf},
                                                .recv = mpi_even(recvbuf, recvcount, datatype),
                                                .op = op});
}

int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter_block("MPI_Reduce_scatter_block", sendbuf, recvbuf, recvcount, datatype,
                                op, comm);
}

int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter_block("MPI_Reduce_scatter_block_c", sendbuf, recvbuf, recvcount, datatype,
                                op, comm);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_scatter_init = PMPI_Reduce_scatter_init
#pragma weak MPI_Reduce_scatter_init_c = PMPI_Reduce_scatter_init_c

int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                             MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_reduce_scatter,
                         &(struct mpi_coll_args){.call = "MPI_Reduce_scatter_init",
                                                 .comm = comm,
                                                 .send = {.buf = sendbuf},
                                                 .recv = {.buf = recvbuf,
                                                          .counts = {recvcounts, false},
                                                          .type = datatype,
                                                          .shape = MPI_COLL_V},
                                                 .op = op},
                         info, request);
}

int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                               MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_reduce_scatter,
                         &(struct mpi_coll_args){.call = "MPI_Reduce_scatter_init_c",
                                                 .comm = comm,
                                                 .send = {.buf = sendbuf},
                                                 .recv = {.buf = recvbuf,
                                                          .counts = {recvcounts, true},
                                                          .type = datatype,
                                                          .shape = MPI_COLL_V},
                                                 .op = op},
                         info, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
#pragma weak MPI_Ireduce_scatter_c = PMPI_Ireduce_scatter_c

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce_scatter,
                          &(struct mpi_coll_args){.call = "MPI_Ireduce_scatter",
                                                  .comm = comm,
                                                  .send = {.buf = sendbuf},
                                                  .recv = {.buf = recvbuf,
                                                           .counts = {recvcounts, false},
                                                           .type = datatype,
                                                           .shape = MPI_COLL_V},
                                                  .op = op},
                          request);
}

int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce_scatter,
                          &(struct mpi_coll_args){.call = "MPI_Ireduce_scatter_c",
                                                  .comm = comm,
                                                  .send = {.buf = sendbuf},
                                                  .recv = {.buf = recvbuf,
                                                           .counts = {recvcounts, true},
                                                           .type = datatype,
                                                           .shape = MPI_COLL_V},
                                                  .op = op},
                          request);
}

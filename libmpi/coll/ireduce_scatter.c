/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
#pragma weak MPI_Ireduce_scatter_c = PMPI_Ireduce_scatter_c

static int ireduce_scatter(const char *call, const void *sendbuf, void *recvbuf,
                           struct mpi_numbers recvcounts, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_reduce_scatter,
        &(struct mpi_coll_args){.call = call,
                                .comm = comm,
                                .send = {.buf = sendbuf},
                                .recv = mpi_v(recvbuf, recvcounts, mpi_ints(NULL), datatype),
                                .op = op},
        request);
}

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return ireduce_scatter("MPI_Ireduce_scatter", sendbuf, recvbuf, mpi_ints(recvcounts), datatype,
                           op, comm, request);
}

int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return ireduce_scatter("MPI_Ireduce_scatter_c", sendbuf, recvbuf, mpi_larges(recvcounts),
                           datatype, op, comm, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_scatter = PMPI_Reduce_scatter
#pragma weak MPI_Reduce_scatter_c = PMPI_Reduce_scatter_c

static int reduce_scatter(const char *call, const void *sendbuf, void *recvbuf,
                          struct mpi_numbers recvcounts, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm)
{
    return mpi_coll_run(
        &mpi_coll_reduce_scatter,
        &(struct mpi_coll_args){.call = call,
                                .comm = comm,
                                .send = {.buf = sendbuf},
                                .recv = mpi_v(recvbuf, recvcounts, mpi_ints(NULL), datatype),
                                .op = op});
}

int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter("MPI_Reduce_scatter", sendbuf, recvbuf, mpi_ints(recvcounts), datatype,
                          op, comm);
}

int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter("MPI_Reduce_scatter_c", sendbuf, recvbuf, mpi_larges(recvcounts),
                          datatype, op, comm);
}

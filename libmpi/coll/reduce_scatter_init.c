/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_scatter_init = PMPI_Reduce_scatter_init
#pragma weak MPI_Reduce_scatter_init_c = PMPI_Reduce_scatter_init_c

static int reduce_scatter_init(const char *call, const void *sendbuf, void *recvbuf,
                               struct mpi_numbers recvcounts, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_reduce_scatter,
        &(struct mpi_coll_args){.call = call,
                                .comm = comm,
                                .send = {.buf = sendbuf},
                                .recv = mpi_v(recvbuf, recvcounts, mpi_ints(NULL), datatype),
                                .op = op},
        info, request);
}

int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                             MPI_Request *request)
{
    return reduce_scatter_init("MPI_Reduce_scatter_init", sendbuf, recvbuf, mpi_ints(recvcounts),
                               datatype, op, comm, info, request);
}

int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                               MPI_Request *request)
{
    return reduce_scatter_init("MPI_Reduce_scatter_init_c", sendbuf, recvbuf,
                               mpi_larges(recvcounts), datatype, op, comm, info, request);
}

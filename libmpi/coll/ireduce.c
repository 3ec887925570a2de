/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ireduce = PMPI_Ireduce
#pragma weak MPI_Ireduce_c = PMPI_Ireduce_c

static int ireduce(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                   MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_reduce,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, count, datatype),
                                                  .recv = mpi_even(recvbuf, count, datatype),
                                                  .op = op,
                                                  .root = root},
                          request);
}

int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request *request)
{
    return ireduce("MPI_Ireduce", sendbuf, recvbuf, count, datatype, op, root, comm, request);
}

int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    return ireduce("MPI_Ireduce_c", sendbuf, recvbuf, count, datatype, op, root, comm, request);
}

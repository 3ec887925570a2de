/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Reduce_init = PMPI_Reduce_init
#pragma weak MPI_Reduce_init_c = PMPI_Reduce_init_c

static int reduce_init(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                       MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_reduce,
                         &(struct mpi_coll_args){.call = call,
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, count, datatype),
                                                 .recv = mpi_even(recvbuf, count, datatype),
                                                 .op = op,
                                                 .root = root},
                         info, request);
}

int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_init("MPI_Reduce_init", sendbuf, recvbuf, count, datatype, op, root, comm, info,
                       request);
}

int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_init("MPI_Reduce_init_c", sendbuf, recvbuf, count, datatype, op, root, comm, info,
                       request);
}

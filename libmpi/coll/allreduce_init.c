/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Allreduce_init = PMPI_Allreduce_init
#pragma weak MPI_Allreduce_init_c = PMPI_Allreduce_init_c

static int allreduce_init(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_allreduce,
                         &(struct mpi_coll_args){.call = call,
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, count, datatype),
                                                 .recv = mpi_even(recvbuf, count, datatype),
                                                 .op = op},
                         info, request);
}

int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return allreduce_init("MPI_Allreduce_init", sendbuf, recvbuf, count, datatype, op, comm, info,
                          request);
}

int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    return allreduce_init("MPI_Allreduce_init_c", sendbuf, recvbuf, count, datatype, op, comm, info,
                          request);
}

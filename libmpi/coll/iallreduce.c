/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iallreduce = PMPI_Iallreduce
#pragma weak MPI_Iallreduce_c = PMPI_Iallreduce_c

static int iallreduce(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_allreduce,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, count, datatype),
                                                  .recv = mpi_even(recvbuf, count, datatype),
                                                  .op = op},
                          request);
}

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
{
    return iallreduce("MPI_Iallreduce", sendbuf, recvbuf, count, datatype, op, comm, request);
}

int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return iallreduce("MPI_Iallreduce_c", sendbuf, recvbuf, count, datatype, op, comm, request);
}

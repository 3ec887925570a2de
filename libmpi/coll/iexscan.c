/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iexscan = PMPI_Iexscan
#pragma weak MPI_Iexscan_c = PMPI_Iexscan_c

static int iexscan(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_exscan,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, count, datatype),
                                                  .recv = mpi_even(recvbuf, count, datatype),
                                                  .op = op},
                          request);
}

int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Request *request)
{
    return iexscan("MPI_Iexscan", sendbuf, recvbuf, count, datatype, op, comm, request);
}

int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return iexscan("MPI_Iexscan_c", sendbuf, recvbuf, count, datatype, op, comm, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iscan = PMPI_Iscan
#pragma weak MPI_Iscan_c = PMPI_Iscan_c

static int iscan(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_scan,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, count, datatype),
                                                  .recv = mpi_even(recvbuf, count, datatype),
                                                  .op = op},
                          request);
}

int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request *request)
{
    return iscan("MPI_Iscan", sendbuf, recvbuf, count, datatype, op, comm, request);
}

int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return iscan("MPI_Iscan_c", sendbuf, recvbuf, count, datatype, op, comm, request);
}

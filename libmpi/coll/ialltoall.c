/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ialltoall = PMPI_Ialltoall
#pragma weak MPI_Ialltoall_c = PMPI_Ialltoall_c

static int ialltoall(const char *call, const void *sendbuf, MPI_Count sendcount,
                     MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_alltoall,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype)},
                          request);
}

int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return ialltoall("MPI_Ialltoall", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                     comm, request);
}

int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                     MPI_Request *request)
{
    return ialltoall("MPI_Ialltoall_c", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                     comm, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ineighbor_alltoall = PMPI_Ineighbor_alltoall
#pragma weak MPI_Ineighbor_alltoall_c = PMPI_Ineighbor_alltoall_c

static int ineighbor_alltoall(const char *call, const void *sendbuf, MPI_Count sendcount,
                              MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_neighbor_alltoall,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype)},
                          request);
}

int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    return ineighbor_alltoall("MPI_Ineighbor_alltoall", sendbuf, sendcount, sendtype, recvbuf,
                              recvcount, recvtype, comm, request);
}

int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request *request)
{
    return ineighbor_alltoall("MPI_Ineighbor_alltoall_c", sendbuf, sendcount, sendtype, recvbuf,
                              recvcount, recvtype, comm, request);
}

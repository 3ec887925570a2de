/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
#pragma weak MPI_Neighbor_alltoall_init_c = PMPI_Neighbor_alltoall_init_c

static int neighbor_alltoall_init(const char *call, const void *sendbuf, MPI_Count sendcount,
                                  MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_neighbor_alltoall,
                         &(struct mpi_coll_args){.call = call,
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, sendcount, sendtype),
                                                 .recv = mpi_even(recvbuf, recvcount, recvtype)},
                         info, request);
}

int PMPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    return neighbor_alltoall_init("MPI_Neighbor_alltoall_init", sendbuf, sendcount, sendtype,
                                  recvbuf, recvcount, recvtype, comm, info, request);
}

int PMPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return neighbor_alltoall_init("MPI_Neighbor_alltoall_init_c", sendbuf, sendcount, sendtype,
                                  recvbuf, recvcount, recvtype, comm, info, request);
}

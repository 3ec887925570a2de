/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Neighbor_alltoall = PMPI_Neighbor_alltoall
#pragma weak MPI_Neighbor_alltoall_c = PMPI_Neighbor_alltoall_c

static int neighbor_alltoall(const char *call, const void *sendbuf, MPI_Count sendcount,
                             MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_neighbor_alltoall,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, sendcount, sendtype),
                                                .recv = mpi_even(recvbuf, recvcount, recvtype)});
}

int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_alltoall("MPI_Neighbor_alltoall", sendbuf, sendcount, sendtype, recvbuf,
                             recvcount, recvtype, comm);
}

int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm)
{
    return neighbor_alltoall("MPI_Neighbor_alltoall_c", sendbuf, sendcount, sendtype, recvbuf,
                             recvcount, recvtype, comm);
}

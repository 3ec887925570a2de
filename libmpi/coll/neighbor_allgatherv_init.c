/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
#pragma weak MPI_Neighbor_allgatherv_init_c = PMPI_Neighbor_allgatherv_init_c

int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, const int recvcounts[], const int displs[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_neighbor_allgatherv,
                         &(struct mpi_coll_args){.call = "MPI_Neighbor_allgatherv_init",
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, sendcount, sendtype),
                                                 .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                               mpi_ints(displs), recvtype)},
                         info, request);
}

int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, const MPI_Count recvcounts[],
                                    const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                    MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_neighbor_allgatherv,
                         &(struct mpi_coll_args){.call = "MPI_Neighbor_allgatherv_init_c",
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, sendcount, sendtype),
                                                 .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                               mpi_larges(displs), recvtype)},
                         info, request);
}

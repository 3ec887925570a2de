/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ineighbor_allgatherv = PMPI_Ineighbor_allgatherv
#pragma weak MPI_Ineighbor_allgatherv_c = PMPI_Ineighbor_allgatherv_c

int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_neighbor_allgatherv,
                          &(struct mpi_coll_args){.call = "MPI_Ineighbor_allgatherv",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                                mpi_ints(displs), recvtype)},
                          request);
}

int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_neighbor_allgatherv,
                          &(struct mpi_coll_args){.call = "MPI_Ineighbor_allgatherv_c",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                                mpi_larges(displs), recvtype)},
                          request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iallgatherv = PMPI_Iallgatherv
#pragma weak MPI_Iallgatherv_c = PMPI_Iallgatherv_c

int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_allgatherv,
                          &(struct mpi_coll_args){.call = "MPI_Iallgatherv",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                                mpi_ints(displs), recvtype)},
                          request);
}

int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_allgatherv,
                          &(struct mpi_coll_args){.call = "MPI_Iallgatherv_c",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                                mpi_larges(displs), recvtype)},
                          request);
}

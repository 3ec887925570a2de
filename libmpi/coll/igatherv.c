/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Igatherv = PMPI_Igatherv
#pragma weak MPI_Igatherv_c = PMPI_Igatherv_c

int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_gatherv,
                          &(struct mpi_coll_args){.call = "MPI_Igatherv",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                                mpi_ints(displs), recvtype),
                                                  .root = root},
                          request);
}

int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_gatherv,
                          &(struct mpi_coll_args){.call = "MPI_Igatherv_c",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                                mpi_larges(displs), recvtype),
                                                  .root = root},
                          request);
}

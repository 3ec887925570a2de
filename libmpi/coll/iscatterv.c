/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iscatterv = PMPI_Iscatterv
#pragma weak MPI_Iscatterv_c = PMPI_Iscatterv_c

int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_scatterv,
                          &(struct mpi_coll_args){.call = "MPI_Iscatterv",
                                                  .comm = comm,
                                                  .send = mpi_v(sendbuf, mpi_ints(sendcounts),
                                                                mpi_ints(displs), sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                  .root = root},
                          request);
}

int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                     MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_scatterv,
                          &(struct mpi_coll_args){.call = "MPI_Iscatterv_c",
                                                  .comm = comm,
                                                  .send = mpi_v(sendbuf, mpi_larges(sendcounts),
                                                                mpi_larges(displs), sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                  .root = root},
                          request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Gatherv = PMPI_Gatherv
#pragma weak MPI_Gatherv_c = PMPI_Gatherv_c

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_gatherv,
                        &(struct mpi_coll_args){.call = "MPI_Gatherv",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, sendcount, sendtype),
                                                .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                              mpi_ints(displs), recvtype),
                                                .root = root});
}

int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                   int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_gatherv,
                        &(struct mpi_coll_args){.call = "MPI_Gatherv_c",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, sendcount, sendtype),
                                                .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                              mpi_larges(displs), recvtype),
                                                .root = root});
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Allgatherv = PMPI_Allgatherv
#pragma weak MPI_Allgatherv_c = PMPI_Allgatherv_c

int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_allgatherv,
                        &(struct mpi_coll_args){.call = "MPI_Allgatherv",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, sendcount, sendtype),
                                                .recv = mpi_v(recvbuf, mpi_ints(recvcounts),
                                                              mpi_ints(displs), recvtype)});
}

int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                      MPI_Datatype recvtype, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_allgatherv,
                        &(struct mpi_coll_args){.call = "MPI_Allgatherv_c",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, sendcount, sendtype),
                                                .recv = mpi_v(recvbuf, mpi_larges(recvcounts),
                                                              mpi_larges(displs), recvtype)});
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Scatterv = PMPI_Scatterv
#pragma weak MPI_Scatterv_c = PMPI_Scatterv_c

int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_scatterv,
                        &(struct mpi_coll_args){.call = "MPI_Scatterv",
                                                .comm = comm,
                                                .send = mpi_v(sendbuf, mpi_ints(sendcounts),
                                                              mpi_ints(displs), sendtype),
                                                .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                .root = root});
}

int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_scatterv,
                        &(struct mpi_coll_args){.call = "MPI_Scatterv_c",
                                                .comm = comm,
                                                .send = mpi_v(sendbuf, mpi_larges(sendcounts),
                                                              mpi_larges(displs), sendtype),
                                                .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                .root = root});
}

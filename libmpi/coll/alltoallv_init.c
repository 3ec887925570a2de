/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Alltoallv_init = PMPI_Alltoallv_init
#pragma weak MPI_Alltoallv_init_c = PMPI_Alltoallv_init_c

int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_alltoallv,
                         &(struct mpi_coll_args){.call = "MPI_Alltoallv_init",
                                                 .comm = comm,
                                                 .send = {.buf = sendbuf,
                                                          .counts = {sendcounts, false},
                                                          .displs = {sdispls, false},
                                                          .type = sendtype,
                                                          .shape = MPI_COLL_V},
                                                 .recv = {.buf = recvbuf,
                                                          .counts = {recvcounts, false},
                                                          .displs = {rdispls, false},
                                                          .type = recvtype,
                                                          .shape = MPI_COLL_V}},
                         info, request);
}

int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_alltoallv,
                         &(struct mpi_coll_args){.call = "MPI_Alltoallv_init_c",
                                                 .comm = comm,
                                                 .send = {.buf = sendbuf,
                                                          .counts = {sendcounts, true},
                                                          .displs = {sdispls, true},
                                                          .type = sendtype,
                                                          .shape = MPI_COLL_V},
                                                 .recv = {.buf = recvbuf,
                                                          .counts = {recvcounts, true},
                                                          .displs = {rdispls, true},
                                                          .type = recvtype,
                                                          .shape = MPI_COLL_V}},
                         info, request);
}

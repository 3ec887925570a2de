/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Gatherv = PMPI_Gatherv
#pragma weak MPI_Gatherv_c = PMPI_Gatherv_c

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
    return mpi_coll_run(
        &mpi_coll_gatherv,
        &(struct mpi_coll_args){.call = "MPI_Gatherv",
                                .comm = comm,
                                .send = {.buf = sendbuf, .count = sendcount, .type = sendtype},
                                .recv = {.buf = recvbuf,
                                         .counts = {recvcounts, false},
                                         .displs = {displs, false},
                                         .type = recvtype,
                                         .shape = MPI_COLL_V},
                                .root = root});
}

int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                   int root, MPI_Comm comm)
{
    return mpi_coll_run(
        &mpi_coll_gatherv,
        &(struct mpi_coll_args){.call = "MPI_Gatherv_c",
                                .comm = comm,
                                .send = {.buf = sendbuf, .count = sendcount, .type = sendtype},
                                .recv = {.buf = recvbuf,
                                         .counts = {recvcounts, true},
                                         .displs = {displs, true},
                                         .type = recvtype,
                                         .shape = MPI_COLL_V},
                                .root = root});
}

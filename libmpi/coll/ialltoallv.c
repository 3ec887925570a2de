/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ialltoallv = PMPI_Ialltoallv
#pragma weak MPI_Ialltoallv_c = PMPI_Ialltoallv_c

int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_alltoallv,
        &(struct mpi_coll_args){
            .call = "MPI_Ialltoallv",
            .comm = comm,
            .send = mpi_v(sendbuf, mpi_ints(sendcounts), mpi_ints(sdispls), sendtype),
            .recv = mpi_v(recvbuf, mpi_ints(recvcounts), mpi_ints(rdispls), recvtype)},
        request);
}

int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_alltoallv,
        &(struct mpi_coll_args){
            .call = "MPI_Ialltoallv_c",
            .comm = comm,
            .send = mpi_v(sendbuf, mpi_larges(sendcounts), mpi_larges(sdispls), sendtype),
            .recv = mpi_v(recvbuf, mpi_larges(recvcounts), mpi_larges(rdispls), recvtype)},
        request);
}

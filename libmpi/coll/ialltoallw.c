/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ialltoallw = PMPI_Ialltoallw
#pragma weak MPI_Ialltoallw_c = PMPI_Ialltoallw_c

int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                    MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_alltoallw,
        &(struct mpi_coll_args){
            .call = "MPI_Ialltoallw",
            .comm = comm,
            .send = mpi_w(sendbuf, mpi_ints(sendcounts), mpi_ints(sdispls), sendtypes),
            .recv = mpi_w(recvbuf, mpi_ints(recvcounts), mpi_ints(rdispls), recvtypes)},
        request);
}

int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                      MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_alltoallw,
        &(struct mpi_coll_args){
            .call = "MPI_Ialltoallw_c",
            .comm = comm,
            .send = mpi_w(sendbuf, mpi_larges(sendcounts), mpi_larges(sdispls), sendtypes),
            .recv = mpi_w(recvbuf, mpi_larges(recvcounts), mpi_larges(rdispls), recvtypes)},
        request);
}

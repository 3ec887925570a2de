/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
#pragma weak MPI_Neighbor_alltoallw_init_c = PMPI_Neighbor_alltoallw_init_c

int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_neighbor_alltoallw,
        &(struct mpi_coll_args){
            .call = "MPI_Neighbor_alltoallw_init",
            .comm = comm,
            .send = mpi_w(sendbuf, mpi_ints(sendcounts), mpi_larges(sdispls), sendtypes),
            .recv = mpi_w(recvbuf, mpi_ints(recvcounts), mpi_larges(rdispls), recvtypes)},
        info, request);
}

int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                   const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_neighbor_alltoallw,
        &(struct mpi_coll_args){
            .call = "MPI_Neighbor_alltoallw_init_c",
            .comm = comm,
            .send = mpi_w(sendbuf, mpi_larges(sendcounts), mpi_larges(sdispls), sendtypes),
            .recv = mpi_w(recvbuf, mpi_larges(recvcounts), mpi_larges(rdispls), recvtypes)},
        info, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Alltoallv_init = PMPI_Alltoallv_init
#pragma weak MPI_Alltoallv_init_c = PMPI_Alltoallv_init_c

int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_alltoallv,
        &(struct mpi_coll_args){
            .call = "MPI_Alltoallv_init",
            .comm = comm,
            .send = mpi_v(sendbuf, mpi_ints(sendcounts), mpi_ints(sdispls), sendtype),
            .recv = mpi_v(recvbuf, mpi_ints(recvcounts), mpi_ints(rdispls), recvtype)},
        info, request);
}

int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_alltoallv,
        &(struct mpi_coll_args){
            .call = "MPI_Alltoallv_init_c",
            .comm = comm,
            .send = mpi_v(sendbuf, mpi_larges(sendcounts), mpi_larges(sdispls), sendtype),
            .recv = mpi_v(recvbuf, mpi_larges(recvcounts), mpi_larges(rdispls), recvtype)},
        info, request);
}

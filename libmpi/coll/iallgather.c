/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Iallgather = PMPI_Iallgather
#pragma weak MPI_Iallgather_c = PMPI_Iallgather_c

int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_allgather,
                          &(struct mpi_coll_args){.call = "MPI_Iallgather",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype)},
                          request);
}

int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_allgather,
                          &(struct mpi_coll_args){.call = "MPI_Iallgather_c",
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype)},
                          request);
}

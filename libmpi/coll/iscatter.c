/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Iscatter = PMPI_Iscatter
#pragma weak MPI_Iscatter_c = PMPI_Iscatter_c

static int iscatter(const char *call, const void *sendbuf, MPI_Count sendcount,
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_scatter,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                  .root = root},
                          request);
}

int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    return iscatter("MPI_Iscatter", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                    root, comm, request);
}

int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    MPI_Request *request)
{
    return iscatter("MPI_Iscatter_c", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                    root, comm, request);
}

/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Igather = PMPI_Igather
#pragma weak MPI_Igather_c = PMPI_Igather_c

static int igather(const char *call, const void *sendbuf, MPI_Count sendcount,
                   MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_gather,
                          &(struct mpi_coll_args){.call = call,
                                                  .comm = comm,
                                                  .send = mpi_even(sendbuf, sendcount, sendtype),
                                                  .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                  .root = root},
                          request);
}

int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    return igather("MPI_Igather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                   comm, request);
}

int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request *request)
{
    return igather("MPI_Igather_c", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                   root, comm, request);
}

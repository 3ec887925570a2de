/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Scatter_init = PMPI_Scatter_init
#pragma weak MPI_Scatter_init_c = PMPI_Scatter_init_c

static int scatter_init(const char *call, const void *sendbuf, MPI_Count sendcount,
                        MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_scatter,
                         &(struct mpi_coll_args){.call = call,
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, sendcount, sendtype),
                                                 .recv = mpi_even(recvbuf, recvcount, recvtype),
                                                 .root = root},
                         info, request);
}

int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    return scatter_init("MPI_Scatter_init", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, root, comm, info, request);
}

int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return scatter_init("MPI_Scatter_init_c", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, root, comm, info, request);
}

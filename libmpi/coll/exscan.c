/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Exscan = PMPI_Exscan
#pragma weak MPI_Exscan_c = PMPI_Exscan_c

static int exscan(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_exscan,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    return exscan("MPI_Exscan", sendbuf, recvbuf, count, datatype, op, comm);
}

int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm)
{
    return exscan("MPI_Exscan_c", sendbuf, recvbuf, count, datatype, op, comm);
}

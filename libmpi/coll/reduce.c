/* SPDX-License-Identifier: MIT */
#include <mpiutil/rank.h>

#include "coll/forms.h"

#pragma weak MPI_Reduce = PMPI_Reduce
#pragma weak MPI_Reduce_c = PMPI_Reduce_c

static int reduce(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                  MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_reduce,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op,
                                                .root = root});
}

int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm)
{
    return mpu_return(reduce("MPI_Reduce", sendbuf, recvbuf, count, datatype, op, root, comm));
}

int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm comm)
{
    return mpu_return(reduce("MPI_Reduce_c", sendbuf, recvbuf, count, datatype, op, root, comm));
}

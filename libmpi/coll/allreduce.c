/* SPDX-License-Identifier: MIT */
#include <mpiutil/rank.h>

#include "coll/forms.h"

#pragma weak MPI_Allreduce = PMPI_Allreduce
#pragma weak MPI_Allreduce_c = PMPI_Allreduce_c

static int allreduce(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_allreduce,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm)
{
    return mpu_return(allreduce("MPI_Allreduce", sendbuf, recvbuf, count, datatype, op, comm));
}

int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
    return mpu_return(allreduce("MPI_Allreduce_c", sendbuf, recvbuf, count, datatype, op, comm));
}

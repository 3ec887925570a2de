/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Scan = PMPI_Scan
#pragma weak MPI_Scan_c = PMPI_Scan_c

static int scan(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_scan,
                        &(struct mpi_coll_args){.call = call,
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
    return scan("MPI_Scan", sendbuf, recvbuf, count, datatype, op, comm);
}

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm)
{
    return scan("MPI_Scan_c", sendbuf, recvbuf, count, datatype, op, comm);
}

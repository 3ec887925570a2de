/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Scan = PMPI_Scan
#pragma weak MPI_Scan_c = PMPI_Scan_c

int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_scan,
                        &(struct mpi_coll_args){.call = "MPI_Scan",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm)
{
    return mpi_coll_run(&mpi_coll_scan,
                        &(struct mpi_coll_args){.call = "MPI_Scan_c",
                                                .comm = comm,
                                                .send = mpi_even(sendbuf, count, datatype),
                                                .recv = mpi_even(recvbuf, count, datatype),
                                                .op = op});
}

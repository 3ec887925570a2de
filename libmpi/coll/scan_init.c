/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Scan_init = PMPI_Scan_init
#pragma weak MPI_Scan_init_c = PMPI_Scan_init_c

int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_scan,
                         &(struct mpi_coll_args){.call = "MPI_Scan_init",
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, count, datatype),
                                                 .recv = mpi_even(recvbuf, count, datatype),
                                                 .op = op},
                         info, request);
}

int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_scan,
                         &(struct mpi_coll_args){.call = "MPI_Scan_init_c",
                                                 .comm = comm,
                                                 .send = mpi_even(sendbuf, count, datatype),
                                                 .recv = mpi_even(recvbuf, count, datatype),
                                                 .op = op},
                         info, request);
}

/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Issend = PMPI_Issend
#pragma weak MPI_Issend_c = PMPI_Issend_c

int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return mpi_isend("MPI_Issend", buf, count, datatype, dest, tag, comm, mpi_begin_sync, request);
}

int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm comm, MPI_Request *request)
{
    return mpi_isend("MPI_Issend_c", buf, count, datatype, dest, tag, comm, mpi_begin_sync,
                     request);
}

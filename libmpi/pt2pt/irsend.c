/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Irsend = PMPI_Irsend
#pragma weak MPI_Irsend_c = PMPI_Irsend_c

int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return mpi_isend("MPI_Irsend", buf, count, datatype, dest, tag, comm, mpi_begin_standard,
                     request);
}

int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm comm, MPI_Request *request)
{
    return mpi_isend("MPI_Irsend_c", buf, count, datatype, dest, tag, comm, mpi_begin_standard,
                     request);
}

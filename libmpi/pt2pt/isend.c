/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Isend = PMPI_Isend
#pragma weak MPI_Isend_c = PMPI_Isend_c

int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return mpi_isend("MPI_Isend", buf, count, datatype, dest, tag, comm, mpi_begin_standard,
                     request);
}

int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    return mpi_isend("MPI_Isend_c", buf, count, datatype, dest, tag, comm, mpi_begin_standard,
                     request);
}

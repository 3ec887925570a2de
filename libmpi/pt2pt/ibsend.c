/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Ibsend = PMPI_Ibsend
#pragma weak MPI_Ibsend_c = PMPI_Ibsend_c

int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return mpi_isend("MPI_Ibsend", buf, count, datatype, dest, tag, comm, mpi_begin_buffered,
                     request);
}

int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm comm, MPI_Request *request)
{
    return mpi_isend("MPI_Ibsend_c", buf, count, datatype, dest, tag, comm, mpi_begin_buffered,
                     request);
}

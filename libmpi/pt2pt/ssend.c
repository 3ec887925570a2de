/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Ssend = PMPI_Ssend
#pragma weak MPI_Ssend_c = PMPI_Ssend_c

int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return mpi_send("MPI_Ssend", buf, count, datatype, dest, tag, comm, mpi_begin_sync);
}

int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm)
{
    return mpi_send("MPI_Ssend_c", buf, count, datatype, dest, tag, comm, mpi_begin_sync);
}

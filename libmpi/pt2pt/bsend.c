/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Bsend = PMPI_Bsend
#pragma weak MPI_Bsend_c = PMPI_Bsend_c

int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return mpi_send("MPI_Bsend", buf, count, datatype, dest, tag, comm, mpi_begin_buffered);
}

int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm)
{
    return mpi_send("MPI_Bsend_c", buf, count, datatype, dest, tag, comm, mpi_begin_buffered);
}

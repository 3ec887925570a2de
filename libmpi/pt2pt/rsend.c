/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Rsend = PMPI_Rsend
#pragma weak MPI_Rsend_c = PMPI_Rsend_c

int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return mpi_send("MPI_Rsend", buf, count, datatype, dest, tag, comm, mpi_begin_standard);
}

int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm)
{
    return mpi_send("MPI_Rsend_c", buf, count, datatype, dest, tag, comm, mpi_begin_standard);
}

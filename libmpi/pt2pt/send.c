/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Send = PMPI_Send
#pragma weak MPI_Send_c = PMPI_Send_c

int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return mpi_send("MPI_Send", buf, count, datatype, dest, tag, comm, mpi_begin_standard);
}

int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    return mpi_send("MPI_Send_c", buf, count, datatype, dest, tag, comm, mpi_begin_standard);
}

/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Bsend_init = PMPI_Bsend_init
#pragma weak MPI_Bsend_init_c = PMPI_Bsend_init_c

int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                    MPI_Comm comm, MPI_Request *request)
{
    return mpi_send_init("MPI_Bsend_init", buf, count, datatype, dest, tag, comm,
                         mpi_begin_buffered, request);
}

int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                      MPI_Comm comm, MPI_Request *request)
{
    return mpi_send_init("MPI_Bsend_init_c", buf, count, datatype, dest, tag, comm,
                         mpi_begin_buffered, request);
}

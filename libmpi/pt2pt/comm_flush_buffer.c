/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Comm_flush_buffer = PMPI_Comm_flush_buffer

int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
    const char *call = "MPI_Comm_flush_buffer";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc)
        return rc;
    return mpi_buffer_flush(p, call, c);
}

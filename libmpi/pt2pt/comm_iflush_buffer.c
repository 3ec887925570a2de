/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Comm_iflush_buffer = PMPI_Comm_iflush_buffer

int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    const char *call = "MPI_Comm_iflush_buffer";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, request, "request")))
        return rc;
    return mpi_buffer_iflush(p, call, c, request);
}

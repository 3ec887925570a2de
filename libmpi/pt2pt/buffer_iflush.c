/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Buffer_iflush = PMPI_Buffer_iflush

int PMPI_Buffer_iflush(MPI_Request *request)
{
    const char *call = "MPI_Buffer_iflush";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, request, "request");
    if (rc)
        return rc;
    return mpi_buffer_iflush(p, call, NULL, request);
}

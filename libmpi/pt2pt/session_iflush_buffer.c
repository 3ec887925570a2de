/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"
#include "core/check.h"

#pragma weak MPI_Session_iflush_buffer = PMPI_Session_iflush_buffer

int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    const char *call = "MPI_Session_iflush_buffer";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_out(&s->raiser, call, request, "request")))
        return rc;
    return mpi_buffer_iflush(p, call, &s->raiser, request);
}

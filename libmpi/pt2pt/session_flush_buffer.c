/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"
#include "core/check.h"

#pragma weak MPI_Session_flush_buffer = PMPI_Session_flush_buffer

int PMPI_Session_flush_buffer(MPI_Session session)
{
    const char *call = "MPI_Session_flush_buffer";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc)
        return rc;
    return mpi_buffer_flush(p, call, &s->raiser);
}

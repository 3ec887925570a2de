/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"
#include "core/check.h"

#pragma weak MPI_Session_attach_buffer = PMPI_Session_attach_buffer
#pragma weak MPI_Session_attach_buffer_c = PMPI_Session_attach_buffer_c

static int attach(const char *call, MPI_Session session, void *buffer, MPI_Count size)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc)
        return rc;
    return mpi_buffer_attach(p, call, &s->raiser, buffer, size);
}

int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size)
{
    return attach("MPI_Session_attach_buffer", session, buffer, size);
}

int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size)
{
    return attach("MPI_Session_attach_buffer_c", session, buffer, size);
}

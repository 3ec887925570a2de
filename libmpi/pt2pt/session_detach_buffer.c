/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "pt2pt/buffer.h"
#include "core/check.h"

#pragma weak MPI_Session_detach_buffer = PMPI_Session_detach_buffer
#pragma weak MPI_Session_detach_buffer_c = PMPI_Session_detach_buffer_c

static int detach(const char *call, MPI_Session session, void *buffer_addr, MPI_Count *size,
                  MPI_Count most)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_out(&s->raiser, call, buffer_addr, "buffer_addr")) ||
        (rc = mpi_check_out(&s->raiser, call, size, "size")))
        return rc;
    return mpi_buffer_detach(p, call, &s->raiser, buffer_addr, size, most);
}

int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size)
{
    MPI_Count n;
    int rc = detach("MPI_Session_detach_buffer", session, buffer_addr, size ? &n : NULL, INT_MAX);
    if (!rc)
        *size = (int)n;
    return rc;
}

int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size)
{
    return detach("MPI_Session_detach_buffer_c", session, buffer_addr, size, INT64_MAX);
}

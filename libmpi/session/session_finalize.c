/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "core/errhandler.h"

#pragma weak MPI_Session_finalize = PMPI_Session_finalize

/* The ranks part when their programs end, for they may open sessions until then. */
int PMPI_Session_finalize(MPI_Session *session)
{
    static const char call[] = "MPI_Session_finalize";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_out(NULL, call, session, "session");
    if (rc || (rc = mpi_check_session(p, call, *session, &s)))
        return rc;
    if (mpi_buffer_end)
        mpi_buffer_end(p, call, &s->raiser);
    struct mpi_session **at = &p->sessions;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->raiser.magic = MPI_DEAD;
    mpi_errhandler_drop(p, s->raiser.errhandler);
    mpi_free(p, s);
    if (!p->sessions && p->phase != MPI_INITIALIZED)
        mpu_let_end(p->rank, &p->everyone);
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_session_free = PMPI_T_pvar_session_free

int PMPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    if (rc || (rc = mpi_tool_check_session(session ? *session : MPI_T_PVAR_SESSION_NULL, &s)))
        return rc;
    while (s->pvars) {
        struct mpi_tool_pvar *v = s->pvars;
        s->pvars = v->next;
        mpi_free(t->p, v);
    }
    struct mpi_tool_session **at = &t->sessions;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->magic = MPI_DEAD;
    mpi_free(t->p, s);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

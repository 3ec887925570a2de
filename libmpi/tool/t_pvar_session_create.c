/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_session_create = PMPI_T_pvar_session_create

int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    if (!session)
        return MPI_T_ERR_INVALID;
    struct mpi_tool_session *s = mpi_alloc(t->p, sizeof *s);
    if (!s)
        return MPI_T_ERR_OUT_OF_SESSIONS;
    *s = (struct mpi_tool_session){.magic = MPI_IS_TOOL_SESSION, .next = t->sessions};
    t->sessions = s;
    *session = (MPI_T_pvar_session)s;
    return MPI_SUCCESS;
}

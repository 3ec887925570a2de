/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_handle_free = PMPI_T_pvar_handle_free

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    MPI_T_pvar_handle given = handle ? *handle : MPI_T_PVAR_HANDLE_NULL;
    if (rc || (rc = mpi_tool_check_pvar(session, given, false, &s, &v)))
        return rc;
    struct mpi_tool_pvar **at = &s->pvars;
    while (*at != v)
        at = &(*at)->next;
    *at = v->next;
    mpi_free(t->p, v);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

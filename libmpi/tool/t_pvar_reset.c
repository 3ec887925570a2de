/* SPDX-License-Identifier: MIT */
#include "internal/tool.h"

#pragma weak MPI_T_pvar_reset = PMPI_T_pvar_reset

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    if (rc || (rc = mpi_tool_check_pvar(session, handle, true, &s, &v)))
        return rc;
    if (v && !mpi_tool_pvar_counts(v->index))
        return MPI_T_ERR_PVAR_NO_WRITE;
    if (v)
        mpi_tool_pvar_put(t, v, 0);
    for (v = v ? NULL : s->pvars; v; v = v->next)
        if (mpi_tool_pvar_counts(v->index))
            mpi_tool_pvar_put(t, v, 0);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "internal/tool.h"

#pragma weak MPI_T_pvar_start = PMPI_T_pvar_start

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    if (rc || (rc = mpi_tool_check_pvar(session, handle, true, &s, &v)))
        return rc;
    if (v && !mpi_tool_pvar_counts(v->index))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    if (v)
        mpi_tool_pvar_run(t, v, true);
    for (v = v ? NULL : s->pvars; v; v = v->next)
        if (mpi_tool_pvar_counts(v->index))
            mpi_tool_pvar_run(t, v, true);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_reset = PMPI_T_pvar_reset

static void reset(const struct mpi_tool *t, struct mpi_tool_pvar *v)
{
    mpi_tool_pvar_put(t, v, 0);
}

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return mpi_tool_pvar_change(session, handle, MPI_T_ERR_PVAR_NO_WRITE, reset);
}

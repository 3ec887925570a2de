/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_start = PMPI_T_pvar_start

static void start(const struct mpi_tool *t, struct mpi_tool_pvar *v)
{
    mpi_tool_pvar_run(t, v, true);
}

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return mpi_tool_pvar_change(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, start);
}

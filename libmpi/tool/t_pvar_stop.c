/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_stop = PMPI_T_pvar_stop

static void stop(const struct mpi_tool *t, struct mpi_tool_pvar *v)
{
    mpi_tool_pvar_run(t, v, false);
}

int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return mpi_tool_pvar_change(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, stop);
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_readreset = PMPI_T_pvar_readreset

int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    return mpi_tool_pvar_get(session, handle, buf, true);
}

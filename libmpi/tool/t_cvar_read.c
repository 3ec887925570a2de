/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_cvar_read = PMPI_T_cvar_read

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    const struct mpi_tool_cvar *v = rc ? NULL : mpi_tool_cvar(handle);
    if (rc)
        return rc;
    if (!v)
        return MPI_T_ERR_INVALID_HANDLE;
    return buf ? mpi_tool_cvar_get(t->p, v->index, buf) : MPI_T_ERR_INVALID;
}

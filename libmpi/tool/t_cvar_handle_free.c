/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_cvar_handle_free = PMPI_T_cvar_handle_free

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    struct mpi_tool_cvar *v = handle ? mpi_tool_cvar(*handle) : NULL;
    if (!v)
        return MPI_T_ERR_INVALID_HANDLE;
    v->magic = MPI_DEAD;
    mpi_free(t->p, v);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

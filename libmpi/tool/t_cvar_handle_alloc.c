/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_cvar_handle_alloc = PMPI_T_cvar_handle_alloc

int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle,
                             int *count)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)obj_handle; /* none is bound to an object */
    if (rc || (rc = mpi_tool_check_index(cvar_index, mpi_tool_cvars())))
        return rc;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    struct mpi_tool_cvar *v = mpi_alloc(t->p, sizeof *v);
    if (!v)
        return MPI_T_ERR_OUT_OF_HANDLES;
    *v = (struct mpi_tool_cvar){MPI_IS_TOOL_CVAR, cvar_index};
    *handle = (MPI_T_cvar_handle)v;
    *count = 1;
    return MPI_SUCCESS;
}

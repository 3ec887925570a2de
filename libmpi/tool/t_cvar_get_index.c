/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "tool/tool.h"

#pragma weak MPI_T_cvar_get_index = PMPI_T_cvar_get_index

int PMPI_T_cvar_get_index(const char *name, int *cvar_index)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    if (!name || !cvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < mpi_tool_cvars(); i++) {
        if (strcmp(name, mpi_tool_cvar_name(i)) == 0) {
            *cvar_index = i;
            return MPI_SUCCESS;
        }
    }
    return MPI_T_ERR_INVALID_NAME;
}

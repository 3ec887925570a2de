/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_cvar_get_num = PMPI_T_cvar_get_num

int PMPI_T_cvar_get_num(int *num_cvar)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = num_cvar ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (rc)
        return rc;
    *num_cvar = mpi_tool_cvars();
    return MPI_SUCCESS;
}

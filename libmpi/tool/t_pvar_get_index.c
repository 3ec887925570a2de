/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "tool/tool.h"

#pragma weak MPI_T_pvar_get_index = PMPI_T_pvar_get_index

int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < mpu_stats_count; i++) {
        if (strcmp(name, mpu_stats[i].name) == 0 &&
            mpi_tool_pvar_class(&mpu_stats[i]) == var_class) {
            *pvar_index = i;
            return MPI_SUCCESS;
        }
    }
    return MPI_T_ERR_INVALID_NAME;
}

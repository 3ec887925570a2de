/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_get_num = PMPI_T_pvar_get_num

int PMPI_T_pvar_get_num(int *num_pvar)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = num_pvar ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (rc)
        return rc;
    *num_pvar = mpu_stats_count;
    return MPI_SUCCESS;
}

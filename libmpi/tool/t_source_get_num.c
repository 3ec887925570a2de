/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_source_get_num = PMPI_T_source_get_num

int PMPI_T_source_get_num(int *num_sources)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = num_sources ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (rc)
        return rc;
    *num_sources = 0;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_changed = PMPI_T_category_changed

int PMPI_T_category_changed(int *update_number)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = update_number ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (rc)
        return rc;
    *update_number = 0;
    return MPI_SUCCESS;
}

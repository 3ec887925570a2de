/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_num = PMPI_T_category_get_num

int PMPI_T_category_get_num(int *num_cat)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = num_cat ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (rc)
        return rc;
    *num_cat = mpi_tool_categories_count;
    return MPI_SUCCESS;
}

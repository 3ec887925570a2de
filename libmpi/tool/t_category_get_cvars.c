/* SPDX-License-Identifier: MIT */
#include "internal/tool.h"

#pragma weak MPI_T_category_get_cvars = PMPI_T_category_get_cvars

int PMPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = mpi_tool_check_index(cat_index, mpi_tool_categories_count);
    if (rc)
        return rc;
    if (len < 0 || (len && !indices))
        return MPI_T_ERR_INVALID;
    mpi_tool_members(mpi_tool_categories[cat_index].has_cvar, mpi_tool_cvars(), len, indices);
    return MPI_SUCCESS;
}

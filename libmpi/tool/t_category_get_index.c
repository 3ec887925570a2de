/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "tool/tool.h"

#pragma weak MPI_T_category_get_index = PMPI_T_category_get_index

int PMPI_T_category_get_index(const char *name, int *cat_index)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    if (!name || !cat_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < mpi_tool_categories_count; i++) {
        if (strcmp(name, mpi_tool_categories[i].name) == 0) {
            *cat_index = i;
            return MPI_SUCCESS;
        }
    }
    return MPI_T_ERR_INVALID_NAME;
}

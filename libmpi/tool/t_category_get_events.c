/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_events = PMPI_T_category_get_events

/* No category has any events. */
int PMPI_T_category_get_events(int cat_index, int len, int indices[])
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc || (rc = mpi_tool_check_index(cat_index, mpi_tool_categories_count)))
        return rc;
    return len < 0 || (len && !indices) ? MPI_T_ERR_INVALID : MPI_SUCCESS;
}

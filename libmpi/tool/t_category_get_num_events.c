/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_num_events = PMPI_T_category_get_num_events

int PMPI_T_category_get_num_events(int cat_index, int *num_events)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = mpi_tool_check_index(cat_index, mpi_tool_categories_count);
    if (rc)
        return rc;
    if (!num_events)
        return MPI_T_ERR_INVALID;
    *num_events = 0;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_get_index = PMPI_T_event_get_index

/* There are no events. */
int PMPI_T_event_get_index(const char *name, int *event_index)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    return name && event_index ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_INVALID;
}

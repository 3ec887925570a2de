/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_get_source = PMPI_T_event_get_source

/* There are no events. */
int PMPI_T_event_get_source(MPI_T_event_instance event_instance, int *source_index)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_instance, (void)source_index;
    return rc ? rc : MPI_T_ERR_INVALID_HANDLE;
}

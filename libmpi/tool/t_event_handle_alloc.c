/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_handle_alloc = PMPI_T_event_handle_alloc

/* There are no events. */
int PMPI_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info,
                              MPI_T_event_registration *event_registration)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_index, (void)obj_handle, (void)info, (void)event_registration;
    return rc ? rc : MPI_T_ERR_INVALID_INDEX;
}

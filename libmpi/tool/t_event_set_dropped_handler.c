/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_set_dropped_handler = PMPI_T_event_set_dropped_handler

/* There are no events. */
int PMPI_T_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                     MPI_T_event_dropped_cb_function dropped_cb_function)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_registration, (void)dropped_cb_function;
    return rc ? rc : MPI_T_ERR_INVALID_HANDLE;
}

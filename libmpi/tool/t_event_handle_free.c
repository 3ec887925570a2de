/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_handle_free = PMPI_T_event_handle_free

/* There are no events. */
int PMPI_T_event_handle_free(MPI_T_event_registration event_registration, void *user_data,
                             MPI_T_event_free_cb_function free_cb_function)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_registration, (void)user_data, (void)free_cb_function;
    return rc ? rc : MPI_T_ERR_INVALID_HANDLE;
}

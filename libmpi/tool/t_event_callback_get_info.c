/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_callback_get_info = PMPI_T_event_callback_get_info

/* There are no events. */
int PMPI_T_event_callback_get_info(MPI_T_event_registration event_registration,
                                   MPI_T_cb_safety cb_safety, MPI_Info *info_used)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_registration, (void)cb_safety, (void)info_used;
    return rc ? rc : MPI_T_ERR_INVALID_HANDLE;
}

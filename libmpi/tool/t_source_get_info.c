/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_source_get_info = PMPI_T_source_get_info

/* There are no sources. */
int PMPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                           MPI_T_source_order *ordering, MPI_Count *ticks_per_second,
                           MPI_Count *max_ticks, MPI_Info *info)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)source_index, (void)name, (void)name_len, (void)desc, (void)desc_len, (void)ordering,
        (void)ticks_per_second, (void)max_ticks, (void)info;
    return rc ? rc : MPI_T_ERR_INVALID_INDEX;
}

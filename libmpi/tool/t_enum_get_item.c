/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_enum_get_item = PMPI_T_enum_get_item

int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    int i = mpi_tool_enum(enumtype);
    if (i < 0)
        return MPI_T_ERR_INVALID_HANDLE;
    if (mpi_tool_check_index(indx, mpi_tool_enum_items(i)))
        return MPI_T_ERR_INVALID_ITEM;
    MPI_TOOL_GIVE(value, indx);
    mpi_tool_text(mpi_tool_enum_item(i, indx), name, name_len);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "internal/tool.h"

#pragma weak MPI_T_enum_get_item = PMPI_T_enum_get_item

int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    const struct mpi_choice_of *c = mpi_tool_enum(enumtype);
    if (rc)
        return rc;
    if (!c)
        return MPI_T_ERR_INVALID_HANDLE;
    if (mpi_tool_check_index(indx, mpi_tool_enum_items(c)))
        return MPI_T_ERR_INVALID_ITEM;
    MPI_TOOL_GIVE(value, indx);
    mpi_tool_text(mpi_tool_enum_item(c, indx), name, name_len);
    return MPI_SUCCESS;
}

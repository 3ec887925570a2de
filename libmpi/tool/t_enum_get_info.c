/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_enum_get_info = PMPI_T_enum_get_info

int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (rc)
        return rc;
    int i = mpi_tool_enum(enumtype);
    if (i < 0)
        return MPI_T_ERR_INVALID_HANDLE;
    MPI_TOOL_GIVE(num, mpi_tool_enum_items(i));
    mpi_tool_text(mpi_tool_cvar_name(i), name, name_len);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "internal/choice.h"
#include "internal/tool.h"

#pragma weak MPI_T_enum_get_info = PMPI_T_enum_get_info

int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    const struct mpi_choice_of *c = mpi_tool_enum(enumtype);
    if (rc)
        return rc;
    if (!c)
        return MPI_T_ERR_INVALID_HANDLE;
    MPI_TOOL_GIVE(num, mpi_tool_enum_items(c));
    mpi_tool_text(c->name, name, name_len);
    return MPI_SUCCESS;
}

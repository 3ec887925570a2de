/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_cvars = PMPI_T_category_get_cvars

int PMPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    return mpi_tool_category_list(cat_index, true, len, indices);
}

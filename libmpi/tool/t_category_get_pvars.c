/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_pvars = PMPI_T_category_get_pvars

int PMPI_T_category_get_pvars(int cat_index, int len, int indices[])
{
    return mpi_tool_category_list(cat_index, false, len, indices);
}

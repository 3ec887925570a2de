/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_category_get_info = PMPI_T_category_get_info

int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len,
                             int *num_cvars, int *num_pvars, int *num_categories)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = mpi_tool_check_index(cat_index, mpi_tool_categories_count);
    if (rc)
        return rc;
    const struct mpi_tool_category *c = &mpi_tool_categories[cat_index];
    mpi_tool_text(c->name, name, name_len);
    mpi_tool_text(c->what, desc, desc_len);
    MPI_TOOL_GIVE(num_cvars, mpi_tool_members(c->has_cvar, mpi_tool_cvars(), 0, NULL));
    MPI_TOOL_GIVE(num_pvars, mpi_tool_members(c->has_pvar, mpu_stats_count, 0, NULL));
    MPI_TOOL_GIVE(num_categories, 0);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_get_info = PMPI_T_pvar_get_info

int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                         int *bind, int *readonly, int *continuous, int *atomic)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = mpi_tool_check_index(pvar_index, mpu_stats_count);
    if (rc)
        return rc;
    const struct mpu_stat *s = &mpu_stats[pvar_index];
    bool counts = mpi_tool_pvar_counts(pvar_index);
    mpi_tool_text(s->name, name, name_len);
    mpi_tool_text(s->what, desc, desc_len);
    MPI_TOOL_GIVE(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    MPI_TOOL_GIVE(var_class, mpi_tool_pvar_class(s));
    MPI_TOOL_GIVE(datatype, MPI_UNSIGNED_LONG_LONG);
    MPI_TOOL_GIVE(enumtype, MPI_T_ENUM_NULL);
    MPI_TOOL_GIVE(bind, MPI_T_BIND_NO_OBJECT);
    MPI_TOOL_GIVE(readonly, !counts);
    MPI_TOOL_GIVE(continuous, !counts);
    MPI_TOOL_GIVE(atomic, counts);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_cvar_get_info = PMPI_T_cvar_get_info

int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                         int *bind, int *scope)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        rc = mpi_tool_check_index(cvar_index, mpi_tool_cvars());
    if (rc)
        return rc;
    MPI_T_enum items = mpi_tool_cvar_enum(cvar_index);
    bool number = items == MPI_T_ENUM_NULL;
    mpi_tool_text(mpi_tool_cvar_name(cvar_index), name, name_len);
    mpi_tool_text(mpi_tool_cvar_what(cvar_index), desc, desc_len);
    MPI_TOOL_GIVE(verbosity, MPI_T_VERBOSITY_TUNER_BASIC);
    MPI_TOOL_GIVE(datatype, number ? MPI_UNSIGNED : MPI_INT);
    MPI_TOOL_GIVE(enumtype, items);
    MPI_TOOL_GIVE(bind, MPI_T_BIND_NO_OBJECT);
    MPI_TOOL_GIVE(scope, mpi_tool_cvar_scope(cvar_index));
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_event_get_info = PMPI_T_event_get_info

/* There are no events. */
int PMPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity,
                          MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
                          int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc,
                          int *desc_len, int *bind)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    (void)event_index, (void)name, (void)name_len, (void)verbosity, (void)array_of_datatypes,
        (void)array_of_displacements, (void)num_elements, (void)enumtype, (void)info, (void)desc,
        (void)desc_len, (void)bind;
    return rc ? rc : MPI_T_ERR_INVALID_INDEX;
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Group_fromint = PMPI_Group_fromint

/* May be called at any time. */
MPI_Group PMPI_Group_fromint(int group)
{
    return (MPI_Group)mpi_handle_fromint(group, MPI_GROUP_NULL);
}

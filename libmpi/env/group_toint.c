/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Group_toint = PMPI_Group_toint

/* May be called at any time. */
int PMPI_Group_toint(MPI_Group group)
{
    return mpi_handle_toint("MPI_Group_toint", group);
}

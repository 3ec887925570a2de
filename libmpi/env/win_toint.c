/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Win_toint = PMPI_Win_toint

/* May be called at any time. */
int PMPI_Win_toint(MPI_Win win)
{
    return mpi_handle_toint("MPI_Win_toint", win);
}

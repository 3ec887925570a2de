/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Win_fromint = PMPI_Win_fromint

/* May be called at any time. */
MPI_Win PMPI_Win_fromint(int win)
{
    return (MPI_Win)mpi_handle_fromint(win, MPI_WIN_NULL);
}

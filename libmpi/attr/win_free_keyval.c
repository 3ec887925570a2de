/* SPDX-License-Identifier: MIT */
#include "core/attr.h"

#pragma weak MPI_Win_free_keyval = PMPI_Win_free_keyval

int PMPI_Win_free_keyval(int *win_keyval)
{
    static const char call[] = "MPI_Win_free_keyval";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_keyval_free(p, call, MPI_ATTR_WIN, win_keyval);
}

/* SPDX-License-Identifier: MIT */
#include "internal/win.h"

int mpi_check_win(struct mpi_process *p, const char *call, MPI_Win handle, struct mpi_win **w)
{
    (void)p;
    *w = (struct mpi_win *)handle;
    if (mpi_may_be_object(handle) && (*w)->magic == MPI_IS_WIN)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_WIN, call, "%s is no window",
                     handle == MPI_WIN_NULL ? "MPI_WIN_NULL" : "the handle");
}

/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"

#pragma weak MPI_Win_create_errhandler = PMPI_Win_create_errhandler

int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn,
                               MPI_Errhandler *errhandler)
{
    return mpi_errhandler_new("MPI_Win_create_errhandler", MPI_OWNER_WIN,
                              (void (*)(void *, int *, ...))win_errhandler_fn, errhandler);
}

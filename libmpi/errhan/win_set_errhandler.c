/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"
#include "errhan/raiser.h"

#pragma weak MPI_Win_set_errhandler = PMPI_Win_set_errhandler

int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    static const char call[] = "MPI_Win_set_errhandler";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_win_raiser(p, call, win, &at);
    if (rc || (rc = mpi_check_errhandler(at.comm, call, MPI_OWNER_WIN, errhandler)))
        return rc;
    mpi_errhandler_put(p, at.handler, errhandler);
    return MPI_SUCCESS;
}

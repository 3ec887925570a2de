/* SPDX-License-Identifier: MIT */
#include "errhan/raiser.h"

#pragma weak MPI_Win_call_errhandler = PMPI_Win_call_errhandler

/* The handler is called for the code as if an MPI function had raised it. */
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    static const char call[] = "MPI_Win_call_errhandler";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_win_raiser(p, call, win, &at);
    if (rc || (rc = mpi_check_code(p, at.comm, call, errorcode)))
        return rc;
    mpi_raise(&at.raiser, errorcode, call, "raised by the program");
    return MPI_SUCCESS;
}

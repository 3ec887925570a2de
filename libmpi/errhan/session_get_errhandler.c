/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "core/errhandler.h"
#include "errhan/raiser.h"

#pragma weak MPI_Session_get_errhandler = PMPI_Session_get_errhandler

/* Whoever gets a handler frees it once more. */
int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    static const char call[] = "MPI_Session_get_errhandler";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_session_raiser(p, call, session, &at);
    if (rc || (rc = mpi_check_out(at.comm, call, errhandler, "errhandler")))
        return rc;
    *errhandler = mpi_errhandler_retain(*at.handler);
    return MPI_SUCCESS;
}

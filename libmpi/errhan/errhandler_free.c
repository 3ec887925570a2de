/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "core/errhandler.h"

#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free

/* A handle from MPI_Comm_get_errhandler may be freed, also when it is a predefined one; that one
 * stays. */
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    static const char call[] = "MPI_Errhandler_free";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, errhandler, "errhandler");
    if (rc)
        return rc;
    MPI_Errhandler e = *errhandler;
    if (!mpi_errhandler(e) && (rc = mpi_check_errhandler(NULL, call, MPI_OWNER_COMM, e)))
        return rc;
    mpi_errhandler_drop(p, e);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

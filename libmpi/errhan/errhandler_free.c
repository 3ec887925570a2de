/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free

/* A handle from MPI_Comm_get_errhandler may be freed, also when it is a predefined one; that one
 * stays. */
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    if (!mpi_running("MPI_Errhandler_free"))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Errhandler_free", errhandler, "errhandler");
    if (rc || (rc = mpi_check_errhandler(NULL, "MPI_Errhandler_free", *errhandler)))
        return rc;
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

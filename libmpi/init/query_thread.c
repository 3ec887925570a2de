/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Query_thread = PMPI_Query_thread

int PMPI_Query_thread(int *provided)
{
    if (!mpi_initialized("MPI_Query_thread"))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Query_thread", provided, "provided");
    if (!rc)
        *provided = mpi_public(MPI_PUBLIC_LEVEL);
    return rc;
}

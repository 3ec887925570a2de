/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "request/status.h"

#pragma weak MPI_Test_cancelled = PMPI_Test_cancelled

int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    int rc = mpi_check_out(NULL, "MPI_Test_cancelled", status, "status");
    if (rc || (rc = mpi_check_out(NULL, "MPI_Test_cancelled", flag, "flag")))
        return rc;
    *flag = mpi_status_is_cancelled(status);
    return MPI_SUCCESS;
}

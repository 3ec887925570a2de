/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "request/status.h"

#pragma weak MPI_Status_set_cancelled = PMPI_Status_set_cancelled

int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    int rc = mpi_check_out(NULL, "MPI_Status_set_cancelled", status, "status");
    if (!rc)
        mpi_status_cancelled(status, flag);
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_set_error = PMPI_Status_set_error

int PMPI_Status_set_error(MPI_Status *status, int error)
{
    int rc = mpi_check_out(NULL, "MPI_Status_set_error", status, "status");
    if (!rc)
        status->MPI_ERROR = error;
    return rc;
}

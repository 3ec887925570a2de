/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_get_error = PMPI_Status_get_error

int PMPI_Status_get_error(const MPI_Status *status, int *error)
{
    int rc = mpi_check_out(NULL, "MPI_Status_get_error", status, "status");
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Status_get_error", error, "error");
    if (!rc)
        *error = status->MPI_ERROR;
    return rc;
}

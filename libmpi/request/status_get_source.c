/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_get_source = PMPI_Status_get_source

int PMPI_Status_get_source(const MPI_Status *status, int *source)
{
    int rc = mpi_check_out(NULL, "MPI_Status_get_source", status, "status");
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Status_get_source", source, "source");
    if (!rc)
        *source = status->MPI_SOURCE;
    return rc;
}

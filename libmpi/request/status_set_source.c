/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_set_source = PMPI_Status_set_source

int PMPI_Status_set_source(MPI_Status *status, int source)
{
    int rc = mpi_check_out(NULL, "MPI_Status_set_source", status, "status");
    if (!rc)
        status->MPI_SOURCE = source;
    return rc;
}

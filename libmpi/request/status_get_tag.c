/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_get_tag = PMPI_Status_get_tag

int PMPI_Status_get_tag(const MPI_Status *status, int *tag)
{
    int rc = mpi_check_out(NULL, "MPI_Status_get_tag", status, "status");
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Status_get_tag", tag, "tag");
    if (!rc)
        *tag = status->MPI_TAG;
    return rc;
}

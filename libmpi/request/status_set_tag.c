/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Status_set_tag = PMPI_Status_set_tag

int PMPI_Status_set_tag(MPI_Status *status, int tag)
{
    int rc = mpi_check_out(NULL, "MPI_Status_set_tag", status, "status");
    if (!rc)
        status->MPI_TAG = tag;
    return rc;
}

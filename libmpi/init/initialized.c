/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Initialized = PMPI_Initialized

int PMPI_Initialized(int *flag)
{
    int rc = mpi_check_out(NULL, "MPI_Initialized", flag, "flag");
    if (!rc)
        *flag = mpi_phase() != MPI_NOT_INITIALIZED;
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Finalized = PMPI_Finalized

int PMPI_Finalized(int *flag)
{
    int rc = mpi_check_out(NULL, "MPI_Finalized", flag, "flag");
    if (!rc)
        *flag = mpi_phase() == MPI_FINALIZED;
    return rc;
}

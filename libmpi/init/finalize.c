/* SPDX-License-Identifier: MIT */
#include "core/err.h"

#pragma weak MPI_Finalize = PMPI_Finalize

int PMPI_Finalize(void)
{
    return mpi_fini("MPI_Finalize");
}

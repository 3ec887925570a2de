/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Free_mem = PMPI_Free_mem

int PMPI_Free_mem(void *base)
{
    static const char call[] = "MPI_Free_mem";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    mpi_free(p, base);
    return MPI_SUCCESS;
}

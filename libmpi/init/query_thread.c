/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Query_thread = PMPI_Query_thread

int PMPI_Query_thread(int *provided)
{
    struct mpi_process *p = mpi_running("MPI_Query_thread");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Query_thread", provided, "provided");
    if (!rc)
        *provided = p->thread_level;
    return rc;
}

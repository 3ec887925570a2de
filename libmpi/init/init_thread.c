/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Init_thread = PMPI_Init_thread

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bool given = argc && argv;
    int rc = mpi_check_out(NULL, "MPI_Init_thread", provided, "provided");
    if (!rc)
        rc = mpi_init("MPI_Init_thread", required, given ? *argc : 0, given ? *argv : NULL);
    if (!rc)
        *provided = mpi_process()->thread_level;
    return rc;
}

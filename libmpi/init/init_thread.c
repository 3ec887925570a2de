/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Init_thread = PMPI_Init_thread

/* Only the thread that a rank is can call MPI, so a program may have others that do not:
 * FUNNELED. */
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bool given = argc && argv;
    int level = required >= MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
    int rc = mpi_check_out(NULL, "MPI_Init_thread", provided, "provided");
    if (!rc)
        rc = mpi_init("MPI_Init_thread", level, given ? *argc : 0, given ? *argv : NULL);
    if (!rc)
        *provided = level;
    return rc;
}

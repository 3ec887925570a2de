/* SPDX-License-Identifier: MIT */
/* Where MPI begins and ends. All references to the library are weak: a program of the job that is
 * no MPI program (a shell) loads this, too. */
#include "layer.h"

#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Finalize

int MPI_Init(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    profile_open();
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    profile_open();
    return rc;
}

int MPI_Finalize(void)
{
    profile_close();
    return PMPI_Finalize();
}

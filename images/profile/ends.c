/* SPDX-License-Identifier: MIT */
/* Where MPI begins and ends, and communicators get names. All references to the library are weak: a
 * program of the job that is no MPI program (a shell) loads this, too. */
#include "layer.h"

#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Comm_set_name
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

int MPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    int rc = PMPI_Comm_set_name(comm, comm_name);
    if (rc == MPI_SUCCESS)
        profile_renamed(comm);
    return rc;
}

int MPI_Finalize(void)
{
    profile_close();
    return PMPI_Finalize();
}

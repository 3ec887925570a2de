/* SPDX-License-Identifier: MIT */
#include "internal/err.h"

#pragma weak MPI_Init = PMPI_Init

int PMPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return mpi_init("MPI_Init", MPI_THREAD_SINGLE);
}

/* SPDX-License-Identifier: MIT */
#include "core/err.h"

#pragma weak MPI_Init = PMPI_Init

int PMPI_Init(int *argc, char ***argv)
{
    bool given = argc && argv;
    return mpi_init("MPI_Init", MPI_THREAD_SINGLE, given ? *argc : 0, given ? *argv : NULL);
}

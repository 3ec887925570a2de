/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"

#pragma weak MPI_File_create_errhandler = PMPI_File_create_errhandler

int PMPI_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn,
                                MPI_Errhandler *errhandler)
{
    return mpi_errhandler_new("MPI_File_create_errhandler", MPI_OWNER_FILE,
                              (void (*)(void *, int *, ...))file_errhandler_fn, errhandler);
}

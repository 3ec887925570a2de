/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_File_fromint = PMPI_File_fromint

/* May be called at any time. */
MPI_File PMPI_File_fromint(int file)
{
    return (MPI_File)mpi_handle_fromint(file, MPI_FILE_NULL);
}

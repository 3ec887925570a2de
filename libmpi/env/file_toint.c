/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_File_toint = PMPI_File_toint

/* May be called at any time. */
int PMPI_File_toint(MPI_File file)
{
    return mpi_handle_toint("MPI_File_toint", file);
}

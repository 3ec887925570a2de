/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Errhandler_toint = PMPI_Errhandler_toint

/* May be called at any time. */
int PMPI_Errhandler_toint(MPI_Errhandler errhandler)
{
    return mpi_handle_toint("MPI_Errhandler_toint", errhandler);
}

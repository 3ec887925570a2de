/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Errhandler_fromint = PMPI_Errhandler_fromint

/* May be called at any time. */
MPI_Errhandler PMPI_Errhandler_fromint(int errhandler)
{
    return (MPI_Errhandler)mpi_handle_fromint(errhandler, MPI_ERRHANDLER_NULL);
}

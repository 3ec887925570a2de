/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Comm_fromint = PMPI_Comm_fromint

/* May be called at any time. */
MPI_Comm PMPI_Comm_fromint(int comm)
{
    return (MPI_Comm)mpi_handle_fromint(comm, MPI_COMM_NULL);
}

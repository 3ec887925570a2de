/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Comm_toint = PMPI_Comm_toint

/* May be called at any time. */
int PMPI_Comm_toint(MPI_Comm comm)
{
    return mpi_handle_toint("MPI_Comm_toint", comm);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Op_toint = PMPI_Op_toint

/* May be called at any time. */
int PMPI_Op_toint(MPI_Op op)
{
    return mpi_handle_toint("MPI_Op_toint", op);
}

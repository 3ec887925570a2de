/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Op_fromint = PMPI_Op_fromint

/* May be called at any time. */
MPI_Op PMPI_Op_fromint(int op)
{
    return (MPI_Op)mpi_handle_fromint(op, MPI_OP_NULL);
}

/* SPDX-License-Identifier: MIT */
#include <mpi.h>

#pragma weak MPI_Aint_add = PMPI_Aint_add

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

/* SPDX-License-Identifier: MIT */
#include <mpi.h>

#pragma weak MPI_Aint_diff = PMPI_Aint_diff

MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}

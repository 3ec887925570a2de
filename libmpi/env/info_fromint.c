/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Info_fromint = PMPI_Info_fromint

/* May be called at any time. */
MPI_Info PMPI_Info_fromint(int info)
{
    return (MPI_Info)mpi_handle_fromint(info, MPI_INFO_NULL);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Info_toint = PMPI_Info_toint

/* May be called at any time. */
int PMPI_Info_toint(MPI_Info info)
{
    return mpi_handle_toint("MPI_Info_toint", info);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Type_toint = PMPI_Type_toint

/* May be called at any time. */
int PMPI_Type_toint(MPI_Datatype datatype)
{
    return mpi_handle_toint("MPI_Type_toint", datatype);
}

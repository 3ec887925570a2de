/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Type_fromint = PMPI_Type_fromint

/* May be called at any time. */
MPI_Datatype PMPI_Type_fromint(int datatype)
{
    return (MPI_Datatype)mpi_handle_fromint(datatype, MPI_DATATYPE_NULL);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Request_fromint = PMPI_Request_fromint

/* May be called at any time. */
MPI_Request PMPI_Request_fromint(int request)
{
    return (MPI_Request)mpi_handle_fromint(request, MPI_REQUEST_NULL);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Request_toint = PMPI_Request_toint

/* May be called at any time. */
int PMPI_Request_toint(MPI_Request request)
{
    return mpi_handle_toint("MPI_Request_toint", request);
}

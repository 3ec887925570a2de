/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Session_toint = PMPI_Session_toint

/* May be called at any time. */
int PMPI_Session_toint(MPI_Session session)
{
    return mpi_handle_toint("MPI_Session_toint", session);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Session_fromint = PMPI_Session_fromint

/* May be called at any time. */
MPI_Session PMPI_Session_fromint(int session)
{
    return (MPI_Session)mpi_handle_fromint(session, MPI_SESSION_NULL);
}

/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Message_toint = PMPI_Message_toint

/* May be called at any time. */
int PMPI_Message_toint(MPI_Message message)
{
    return mpi_handle_toint("MPI_Message_toint", message);
}

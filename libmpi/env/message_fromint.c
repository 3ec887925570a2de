/* SPDX-License-Identifier: MIT */
#include "env/handles.h"

#pragma weak MPI_Message_fromint = PMPI_Message_fromint

/* May be called at any time. */
MPI_Message PMPI_Message_fromint(int message)
{
    return (MPI_Message)mpi_handle_fromint(message, MPI_MESSAGE_NULL);
}

/* SPDX-License-Identifier: MIT */
#include "request/request.h"

#pragma weak MPI_Startall = PMPI_Startall

int PMPI_Startall(int count, MPI_Request array_of_requests[])
{
    if (!mpi_running("MPI_Startall"))
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Startall", count, array_of_requests);
    for (int i = 0; i < count && !rc; i++)
        rc = mpi_check_start("MPI_Startall", array_of_requests[i], i);
    return rc ? rc : mpi_request_start("MPI_Startall", array_of_requests, count);
}

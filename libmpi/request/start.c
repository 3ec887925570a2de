/* SPDX-License-Identifier: MIT */
#include "request/request.h"

#pragma weak MPI_Start = PMPI_Start

int PMPI_Start(MPI_Request *request)
{
    if (!mpi_running("MPI_Start"))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Start", request, "request");
    if (rc || (rc = mpi_check_start("MPI_Start", *request, 0)))
        return rc;
    return mpi_request_start("MPI_Start", request, 1);
}

/* SPDX-License-Identifier: MIT */
#include "request/request.h"

#pragma weak MPI_Request_free = PMPI_Request_free

int PMPI_Request_free(MPI_Request *request)
{
    struct mpi_process *p = mpi_running("MPI_Request_free");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_request *q;
    int rc = mpi_check_out(NULL, "MPI_Request_free", request, "request");
    if (rc || (rc = mpi_check_request("MPI_Request_free", *request, &q)))
        return rc;
    if (!q)
        return mpi_error(NULL, MPI_ERR_REQUEST, "MPI_Request_free",
                         "MPI_REQUEST_NULL is no request");
    *request = MPI_REQUEST_NULL;
    rc = mpi_request_drop(p, q);
    return rc ? mpi_error(NULL, rc, "MPI_Request_free", "the end of the request failed") : rc;
}

/* SPDX-License-Identifier: MIT */
#include "request/request.h"

#pragma weak MPI_Cancel = PMPI_Cancel

int PMPI_Cancel(MPI_Request *request)
{
    if (!mpi_running("MPI_Cancel"))
        return MPI_ERR_OTHER;
    struct mpi_request *q;
    int rc = mpi_check_out(NULL, "MPI_Cancel", request, "request");
    if (rc || (rc = mpi_check_request("MPI_Cancel", *request, &q)))
        return rc;
    if (!mpi_request_active(q))
        return mpi_error(q ? q->comm : NULL, MPI_ERR_REQUEST, "MPI_Cancel",
                         "the request is not active");
    if (!q->kind->cancel)
        return mpi_error(q->comm, MPI_ERR_REQUEST, "MPI_Cancel", "a %s cannot be cancelled",
                         q->kind->name);
    rc = q->kind->cancel(q);
    return rc ? mpi_request_raise(q, rc, "MPI_Cancel") : MPI_SUCCESS;
}

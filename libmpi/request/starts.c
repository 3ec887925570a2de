/* SPDX-License-Identifier: MIT */
#include "request/request.h"

int mpi_request_start(const char *call, MPI_Request *array, int n)
{
    for (int i = 0; i < n; i++) {
        struct mpi_request *q = mpi_request_of(array[i]);
        int rc = q->kind->start(q, call);
        if (rc)
            return mpi_error(q->comm, rc, call, "%s", mpi_class_text(rc));
    }
    return MPI_SUCCESS;
}

int mpi_check_start(const char *call, MPI_Request handle, int i)
{
    struct mpi_request *q;
    int rc = mpi_check_request(call, handle, &q);
    if (rc)
        return rc;
    if (!q || !(q->flags & MPI_REQUEST_PERSISTENT))
        return mpi_error(q ? q->comm : NULL, MPI_ERR_REQUEST, call, "request %d is not persistent",
                         i);
    if (q->flags & MPI_REQUEST_ACTIVE)
        return mpi_error(q->comm, MPI_ERR_REQUEST, call, "request %d is active already", i);
    return MPI_SUCCESS;
}

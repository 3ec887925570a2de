/* SPDX-License-Identifier: MIT */
#include "request/grequest.h"

#pragma weak MPI_Grequest_start = PMPI_Grequest_start

int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                        MPI_Request *request)
{
    const char *call = "MPI_Grequest_start";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, request, "request");
    if (!rc && (!query_fn || !free_fn || !cancel_fn))
        rc = mpi_error(NULL, MPI_ERR_ARG, call, "a function is a null pointer");
    if (rc)
        return rc;
    struct mpi_grequest *q = mpi_request_new(p, call, &mpi_grequest_kind, NULL, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    q->base.flags |= MPI_REQUEST_ACTIVE;
    q->query = query_fn;
    q->free = free_fn;
    q->cancel = cancel_fn;
    q->state = extra_state;
    *request = mpi_request_handle(q);
    return MPI_SUCCESS;
}

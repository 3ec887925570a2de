/* SPDX-License-Identifier: MIT */
#include "request/grequest.h"

#pragma weak MPI_Grequest_complete = PMPI_Grequest_complete

/* The program may have freed the handle and kept a copy for this call: then it ends here. */
int PMPI_Grequest_complete(MPI_Request request)
{
    const char *call = "MPI_Grequest_complete";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_grequest *q = (struct mpi_grequest *)request;
    if (request == MPI_REQUEST_NULL || !mpi_may_be_object(request) ||
        q->base.magic != MPI_IS_REQUEST)
        return mpi_error(NULL, MPI_ERR_REQUEST, call, "the handle is no request");
    if (q->base.kind != &mpi_grequest_kind)
        return mpi_error(q->base.comm, MPI_ERR_REQUEST, call, "a %s is no generalized request",
                         q->base.kind->name);
    q->completed = true;
    if (q->base.flags & MPI_REQUEST_FREED)
        mpu_poll(p->rank);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Wait = PMPI_Wait

static inline int wait(MPI_Request *request, MPI_Status *status)
{
    struct mpi_process *p = mpi_running("MPI_Wait");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_request *q;
    int rc = mpi_check_out(NULL, "MPI_Wait", request, "request");
    if (rc || (rc = mpi_check_request("MPI_Wait", *request, &q)))
        return rc;
    struct mpi_set set = {.array = request, .handles = request, .statuses = status, .n = 1};
    if (q)
        mpi_set_wait_all(p, "MPI_Wait", &set);
    set.index = 0;
    return set.ended ? MPI_SUCCESS : mpi_set_end_one(p, "MPI_Wait", &set);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return mpu_return(wait(request, status));
}

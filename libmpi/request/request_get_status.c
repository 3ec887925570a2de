/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Request_get_status = PMPI_Request_get_status

int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    const char *call = "MPI_Request_get_status";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_request *q;
    int rc = mpi_check_request(call, request, &q);
    if (rc || (rc = mpi_check_out(NULL, call, flag, "flag")))
        return rc;
    struct mpi_set set = {.array = &request, .statuses = status, .n = 1};
    *flag = mpi_set_try(p, "MPI_Request_get_status", &set, mpi_set_any);
    return *flag ? mpi_set_end_one(p, call, &set) : MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Request_get_status_some = PMPI_Request_get_status_some

int PMPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                 int array_of_indices[], MPI_Status *array_of_statuses)
{
    const char *call = "MPI_Request_get_status_some";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests(call, incount, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, call, outcount, "outcount");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests, .statuses = array_of_statuses, .n = incount};
    if (incount && !array_of_indices)
        return mpi_check_out(NULL, call, NULL, "array_of_indices");
    mpi_set_try(p, "MPI_Request_get_status_some", &set, mpi_set_any);
    return mpi_set_end_some(p, call, &set, outcount, array_of_indices);
}

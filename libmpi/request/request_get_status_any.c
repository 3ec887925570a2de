/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Request_get_status_any = PMPI_Request_get_status_any

int PMPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int *indx,
                                int *flag, MPI_Status *status)
{
    const char *call = "MPI_Request_get_status_any";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests(call, count, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, call, indx, "indx");
    if (!rc)
        rc = mpi_check_out(NULL, call, flag, "flag");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests, .statuses = status, .n = count};
    *flag = mpi_set_try(p, "MPI_Request_get_status_any", &set, mpi_set_any);
    *indx = set.index;
    return *flag ? mpi_set_end_one(p, call, &set) : MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Request_get_status_all = PMPI_Request_get_status_all

int PMPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                                MPI_Status *array_of_statuses)
{
    const char *call = "MPI_Request_get_status_all";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests(call, count, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, call, flag, "flag");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests, .statuses = array_of_statuses, .n = count};
    *flag = mpi_set_try(p, "MPI_Request_get_status_all", &set, mpi_set_all);
    return *flag ? mpi_set_end_all(p, call, &set) : MPI_SUCCESS;
}

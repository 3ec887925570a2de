/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Waitall = PMPI_Waitall

static inline int waitall(int count, MPI_Request array_of_requests[],
                          MPI_Status array_of_statuses[])
{
    struct mpi_process *p = mpi_running("MPI_Waitall");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Waitall", count, array_of_requests);
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests,
                          .handles = array_of_requests,
                          .statuses = array_of_statuses,
                          .n = count};
    mpi_set_wait_all(p, "MPI_Waitall", &set);
    return mpi_set_end_all(p, "MPI_Waitall", &set);
}

int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])
{
    return mpu_return(waitall(count, array_of_requests, array_of_statuses));
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Waitany = PMPI_Waitany

static inline int waitany(int count, MPI_Request array_of_requests[], int *index,
                          MPI_Status *status)
{
    struct mpi_process *p = mpi_running("MPI_Waitany");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Waitany", count, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Waitany", index, "index");
    if (rc)
        return rc;
    struct mpi_set set = {
        .array = array_of_requests, .handles = array_of_requests, .statuses = status, .n = count};
    mpi_set_wait_any(p, "MPI_Waitany", &set);
    *index = set.index;
    return mpi_set_end_one(p, "MPI_Waitany", &set);
}

int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
    return mpu_return(waitany(count, array_of_requests, index, status));
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Testall = PMPI_Testall

static inline int testall(int count, MPI_Request array_of_requests[], int *flag,
                          MPI_Status array_of_statuses[])
{
    struct mpi_process *p = mpi_running("MPI_Testall");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Testall", count, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Testall", flag, "flag");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests,
                          .handles = array_of_requests,
                          .statuses = array_of_statuses,
                          .n = count};
    *flag = mpi_set_try(p, "MPI_Testall", &set, mpi_set_all);
    return *flag ? mpi_set_end_all(p, "MPI_Testall", &set) : MPI_SUCCESS;
}

int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag,
                 MPI_Status array_of_statuses[])
{
    return mpu_return(testall(count, array_of_requests, flag, array_of_statuses));
}

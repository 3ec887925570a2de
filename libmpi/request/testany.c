/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Testany = PMPI_Testany

static inline int testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
                          MPI_Status *status)
{
    struct mpi_process *p = mpi_running("MPI_Testany");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Testany", count, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Testany", index, "index");
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Testany", flag, "flag");
    if (rc)
        return rc;
    struct mpi_set set = {
        .array = array_of_requests, .handles = array_of_requests, .statuses = status, .n = count};
    *flag = mpi_set_try(p, "MPI_Testany", &set, mpi_set_any);
    *index = set.index;
    return *flag ? mpi_set_end_one(p, "MPI_Testany", &set) : MPI_SUCCESS;
}

int PMPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
                 MPI_Status *status)
{
    return mpu_return(testany(count, array_of_requests, index, flag, status));
}

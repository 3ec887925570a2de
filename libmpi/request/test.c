/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Test = PMPI_Test

static inline int test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpi_process *p = mpi_running("MPI_Test");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_request *q;
    int rc = mpi_check_out(NULL, "MPI_Test", request, "request");
    if (rc || (rc = mpi_check_out(NULL, "MPI_Test", flag, "flag")) ||
        (rc = mpi_check_request("MPI_Test", *request, &q)))
        return rc;
    struct mpi_set set = {.array = request, .handles = request, .statuses = status, .n = 1};
    *flag = mpi_set_try(p, "MPI_Test", &set, mpi_set_any);
    return *flag ? mpi_set_end_one(p, "MPI_Test", &set) : MPI_SUCCESS;
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    return mpu_return(test(request, flag, status));
}

/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Testsome = PMPI_Testsome

static inline int testsome(int incount, MPI_Request array_of_requests[], int *outcount,
                           int array_of_indices[], MPI_Status array_of_statuses[])
{
    struct mpi_process *p = mpi_running("MPI_Testsome");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Testsome", incount, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Testsome", outcount, "outcount");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests,
                          .handles = array_of_requests,
                          .statuses = array_of_statuses,
                          .n = incount};
    if (incount && !array_of_indices)
        return mpi_check_out(NULL, "MPI_Testsome", NULL, "array_of_indices");
    mpi_set_try(p, "MPI_Testsome", &set, mpi_set_any);
    return mpi_set_end_some(p, "MPI_Testsome", &set, outcount, array_of_indices);
}

int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount,
                  int array_of_indices[], MPI_Status array_of_statuses[])
{
    return mpu_return(
        testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses));
}

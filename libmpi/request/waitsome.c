/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"

#pragma weak MPI_Waitsome = PMPI_Waitsome

static inline int waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
                           int array_of_indices[], MPI_Status array_of_statuses[])
{
    struct mpi_process *p = mpi_running("MPI_Waitsome");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_requests("MPI_Waitsome", incount, array_of_requests);
    if (!rc)
        rc = mpi_check_out(NULL, "MPI_Waitsome", outcount, "outcount");
    if (rc)
        return rc;
    struct mpi_set set = {.array = array_of_requests,
                          .handles = array_of_requests,
                          .statuses = array_of_statuses,
                          .n = incount};
    if (incount && !array_of_indices)
        return mpi_check_out(NULL, "MPI_Waitsome", NULL, "array_of_indices");
    mpi_set_wait_any(p, "MPI_Waitsome", &set);
    return mpi_set_end_some(p, "MPI_Waitsome", &set, outcount, array_of_indices);
}

int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
                  int array_of_indices[], MPI_Status array_of_statuses[])
{
    return mpu_return(
        waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses));
}

/* SPDX-License-Identifier: MIT */
#include <mpiutil/boot.h>

#include "core/check.h"

#pragma weak MPI_Is_thread_main = PMPI_Is_thread_main

int PMPI_Is_thread_main(int *flag)
{
    if (!mpi_initialized("MPI_Is_thread_main"))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Is_thread_main", flag, "flag");
    if (!rc)
        *flag = mpu_thread_is_main();
    return rc;
}

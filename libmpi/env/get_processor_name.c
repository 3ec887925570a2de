/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>
#include <mpiutil/machine.h>

#include "core/check.h"

#pragma weak MPI_Get_processor_name = PMPI_Get_processor_name

/* Ranks with the same name are on one node: they share its memory. */
int PMPI_Get_processor_name(char *name, int *resultlen)
{
    static const char call[] = "MPI_Get_processor_name";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, name, "name");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    *resultlen = b_fmt(name, MPI_MAX_PROCESSOR_NAME, "%s", mpu_info()->node_name);
    return MPI_SUCCESS;
}

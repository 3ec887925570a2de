/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>
#include <mpiutil/machine.h>

#include "internal/check.h"

#pragma weak MPI_Get_processor_name = PMPI_Get_processor_name

/* Machine and cluster: ranks with the same name share memory. */
int PMPI_Get_processor_name(char *name, int *resultlen)
{
    static const char call[] = "MPI_Get_processor_name";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, name, "name");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    *resultlen = b_fmt(name, MPI_MAX_PROCESSOR_NAME, "%s cluster %d", mpu_machine_name(),
                       mpu_rank_cluster(p->rank));
    return MPI_SUCCESS;
}

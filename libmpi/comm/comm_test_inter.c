/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Comm_test_inter = PMPI_Comm_test_inter

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    static const char call[] = "MPI_Comm_test_inter";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, flag, "flag")))
        return rc;
    *flag = c->inter;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "comm/hint.h"

#pragma weak MPI_Comm_get_info = PMPI_Comm_get_info

int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    static const char call[] = "MPI_Comm_get_info";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, info_used, "info_used")))
        return rc;
    return mpi_hints_give(p, call, c, info_used);
}

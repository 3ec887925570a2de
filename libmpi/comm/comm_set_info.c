/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "comm/hint.h"

#pragma weak MPI_Comm_set_info = PMPI_Comm_set_info

int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    static const char call[] = "MPI_Comm_set_info";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    struct mpi_info *i;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, false, &i)))
        return rc;
    mpi_hints_take(c, i);
    return MPI_SUCCESS;
}

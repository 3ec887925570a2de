/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_remote_group = PMPI_Comm_remote_group

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    static const char call[] = "MPI_Comm_remote_group";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_inter(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, group, "group")))
        return rc;
    return mpi_group_handle(p, call, mpi_group_share(&c->remote), group);
}

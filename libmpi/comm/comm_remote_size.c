/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_remote_size = PMPI_Comm_remote_size

int PMPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    static const char call[] = "MPI_Comm_remote_size";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_inter(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, size, "size")))
        return rc;
    *size = c->remote.size;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_free = PMPI_Comm_free

int PMPI_Comm_free(MPI_Comm *comm)
{
    static const char call[] = "MPI_Comm_free";
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    int rc = p ? mpi_check_freed(p, call, comm, &c) : MPI_ERR_OTHER;
    return rc ? rc : mpi_comm_let_go(p, call, c, comm);
}

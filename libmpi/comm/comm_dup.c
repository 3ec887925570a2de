/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_dup = PMPI_Comm_dup

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_dup";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newcomm, "newcomm")))
        return rc;
    *newcomm = MPI_COMM_NULL;
    if ((rc = mpi_comm_dup(p, call, c, &made)))
        return rc;
    *newcomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}

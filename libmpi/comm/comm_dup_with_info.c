/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "comm/hint.h"

#pragma weak MPI_Comm_dup_with_info = PMPI_Comm_dup_with_info

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_dup_with_info";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    struct mpi_info *i;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, true, &i)) ||
        (rc = mpi_check_out(c, call, newcomm, "newcomm")))
        return rc;
    *newcomm = MPI_COMM_NULL;
    if ((rc = mpi_comm_dup(p, call, c, &made)))
        return rc;
    mpi_hints_take(made, i);
    *newcomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Comm_rank = PMPI_Comm_rank

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    static const char call[] = "MPI_Comm_rank";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, rank, "rank")))
        return rc;
    *rank = c->group.rank;
    return MPI_SUCCESS;
}

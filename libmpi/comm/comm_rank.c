/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Comm_rank = PMPI_Comm_rank

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    struct mpi_process *p = mpi_running("MPI_Comm_rank");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Comm_rank", comm, &c);
    if (rc || (rc = mpi_check_out(c, "MPI_Comm_rank", rank, "rank")))
        return rc;
    *rank = c->p2p.rank;
    return MPI_SUCCESS;
}

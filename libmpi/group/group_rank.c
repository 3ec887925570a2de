/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Group_rank = PMPI_Group_rank

int PMPI_Group_rank(MPI_Group group, int *rank)
{
    struct mpi_process *p = mpi_running("MPI_Group_rank");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *g;
    int rc = mpi_check_group(p, NULL, "MPI_Group_rank", group, &g);
    if (rc || (rc = mpi_check_out(NULL, "MPI_Group_rank", rank, "rank")))
        return rc;
    *rank = g->rank;
    return MPI_SUCCESS;
}

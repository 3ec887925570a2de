/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Group_size = PMPI_Group_size

int PMPI_Group_size(MPI_Group group, int *size)
{
    struct mpi_process *p = mpi_running("MPI_Group_size");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *g;
    int rc = mpi_check_group(p, NULL, "MPI_Group_size", group, &g);
    if (rc || (rc = mpi_check_out(NULL, "MPI_Group_size", size, "size")))
        return rc;
    *size = g->size;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Group_free = PMPI_Group_free

int PMPI_Group_free(MPI_Group *group)
{
    struct mpi_process *p = mpi_running("MPI_Group_free");
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, "MPI_Group_free", group, "group");
    struct mpi_group *g;
    if (rc || (rc = mpi_check_group(p, "MPI_Group_free", *group, &g)))
        return rc;
    if (g != &p->empty) {
        g->magic = MPI_DEAD;
        mpi_free(p, g);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

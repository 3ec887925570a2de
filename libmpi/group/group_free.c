/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_free = PMPI_Group_free

int PMPI_Group_free(MPI_Group *group)
{
    static const char call[] = "MPI_Group_free";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, group, "group");
    struct mpi_group *g;
    if (rc || (rc = mpi_check_group(p, NULL, call, *group, &g)))
        return rc;
    if (g != &p->empty) {
        mpi_group_drop(p, g);
        mpi_free(p, g);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_union = PMPI_Group_union

int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    static const char call[] = "MPI_Group_union";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *a, *b, both;
    int rc = mpi_check_group(p, NULL, call, group1, &a);
    if (rc || (rc = mpi_check_group(p, NULL, call, group2, &b)) ||
        (rc = mpi_check_out(NULL, call, newgroup, "newgroup")))
        return rc;
    rc = mpi_group_join(p, a, b, &both);
    return rc ? mpi_error_below(NULL, rc, call) : mpi_group_handle(p, call, both, newgroup);
}

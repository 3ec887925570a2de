/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_range_incl = PMPI_Group_range_incl

int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    static const char call[] = "MPI_Group_range_incl";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *g, picked;
    int *ranks, many, rc = mpi_check_group(p, NULL, call, group, &g);
    if (rc || (rc = mpi_check_out(NULL, call, newgroup, "newgroup")) ||
        (rc = mpi_check_ranges(p, call, g, n, ranges, &ranks, &many)))
        return rc;
    rc = mpi_group_pick(p, g, many, ranks, &picked);
    mpi_free(p, ranks);
    return rc ? mpi_error_below(NULL, rc, call) : mpi_group_handle(p, call, picked, newgroup);
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_excl = PMPI_Group_excl

int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    static const char call[] = "MPI_Group_excl";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *g, rest;
    uint8_t *chosen;
    int rc = mpi_check_group(p, NULL, call, group, &g);
    if (rc || (rc = mpi_check_out(NULL, call, newgroup, "newgroup")) ||
        (rc = mpi_check_ranks(p, call, g, n, ranks, &chosen)))
        return rc;
    rc = mpi_group_filter(p, g, chosen, false, &rest);
    mpi_free(p, chosen);
    return rc ? mpi_error_below(NULL, rc, call) : mpi_group_handle(p, call, rest, newgroup);
}

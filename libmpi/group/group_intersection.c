/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_intersection = PMPI_Group_intersection

int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    static const char call[] = "MPI_Group_intersection";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_group_meet(p, call, group1, group2, true, newgroup);
}

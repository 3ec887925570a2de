/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_compare = PMPI_Group_compare

int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    static const char call[] = "MPI_Group_compare";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *a, *b;
    int rc = mpi_check_group(p, NULL, call, group1, &a);
    if (rc || (rc = mpi_check_group(p, NULL, call, group2, &b)) ||
        (rc = mpi_check_out(NULL, call, result, "result")))
        return rc;
    *result = mpi_group_relation(a, b);
    return MPI_SUCCESS;
}

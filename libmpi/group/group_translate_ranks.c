/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Group_translate_ranks = PMPI_Group_translate_ranks

int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2,
                               int ranks2[])
{
    static const char call[] = "MPI_Group_translate_ranks";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *a, *b;
    int rc = mpi_check_group(p, NULL, call, group1, &a);
    if (rc || (rc = mpi_check_group(p, NULL, call, group2, &b)))
        return rc;
    if (n < 0 || (n && (!ranks1 || !ranks2)))
        return mpi_error(NULL, MPI_ERR_ARG, call, "n is %d, or an array is a null pointer", n);
    int *index = mpi_group_index(p, b);
    if (!index)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    for (int i = 0; i < n && !rc; i++) {
        int r = ranks1[i];
        if (r == MPI_PROC_NULL)
            ranks2[i] = MPI_PROC_NULL;
        else if (r >= 0 && r < a->size)
            ranks2[i] = index[mpi_group_world(a, r)];
        else
            rc = mpi_error(NULL, MPI_ERR_RANK, call, "ranks1[%d] = %d is not in 0..%d", i, r,
                           a->size - 1);
    }
    mpi_free(p, index);
    return rc;
}

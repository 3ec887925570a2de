/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Comm_compare = PMPI_Comm_compare

int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    struct mpi_process *p = mpi_running("MPI_Comm_compare");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *a, *b;
    int rc = mpi_check_comm(p, "MPI_Comm_compare", comm1, &a);
    if (rc || (rc = mpi_check_comm(p, "MPI_Comm_compare", comm2, &b)) ||
        (rc = mpi_check_out(a, "MPI_Comm_compare", result, "result")))
        return rc;
    struct mpi_group ga = mpi_comm_members(a), gb = mpi_comm_members(b);
    int relation = mpi_group_relation(&ga, &gb);
    if (a == b)
        *result = MPI_IDENT;
    else
        *result = relation == MPI_IDENT ? MPI_CONGRUENT : relation;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "group/group.h"

#pragma weak MPI_Comm_compare = PMPI_Comm_compare

/* The weaker of the relations of local and remote groups. */
static int relation(const struct mpi_comm *a, const struct mpi_comm *b)
{
    int local = mpi_group_relation(&a->group, &b->group), remote = MPI_IDENT;
    if (a->inter)
        remote = mpi_group_relation(&a->remote, &b->remote);
    return local > remote ? local : remote;
}
_Static_assert((int)MPI_IDENT < (int)MPI_SIMILAR && (int)MPI_SIMILAR < (int)MPI_UNEQUAL,
               "in order of weakness");
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    static const char call[] = "MPI_Comm_compare";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *a, *b;
    int rc = mpi_check_comm(p, call, comm1, &a);
    if (rc || (rc = mpi_check_comm(p, call, comm2, &b)) ||
        (rc = mpi_check_out(a, call, result, "result")))
        return rc;
    int groups = a->inter == b->inter ? relation(a, b) : MPI_UNEQUAL;
    if (a == b)
        *result = MPI_IDENT;
    else
        *result = groups == MPI_IDENT ? MPI_CONGRUENT : groups;
    return MPI_SUCCESS;
}

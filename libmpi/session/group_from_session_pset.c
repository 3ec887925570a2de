/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/pset.h"

#pragma weak MPI_Group_from_session_pset = PMPI_Group_from_session_pset

int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    static const char call[] = "MPI_Group_from_session_pset";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    const struct mpi_group *g;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_out(&s->raiser, call, newgroup, "newgroup")))
        return rc;
    *newgroup = MPI_GROUP_NULL;
    if ((rc = mpi_check_pset(p, &s->raiser, call, pset_name, &g)))
        return rc;
    struct mpi_group derived = mpi_group_share(g);
    derived.session = s;
    return mpi_group_handle(p, call, derived, newgroup);
}

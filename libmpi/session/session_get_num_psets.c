/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"
#include "comm/pset.h"

#pragma weak MPI_Session_get_num_psets = PMPI_Session_get_num_psets

int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    static const char call[] = "MPI_Session_get_num_psets";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    struct mpi_info *i;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_info(p, &s->raiser, call, info, true, &i)) ||
        (rc = mpi_check_out(&s->raiser, call, npset_names, "npset_names")))
        return rc;
    *npset_names = MPI_PSETS;
    return MPI_SUCCESS;
}

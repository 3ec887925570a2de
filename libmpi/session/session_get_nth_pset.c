/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"
#include "comm/pset.h"

#pragma weak MPI_Session_get_nth_pset = PMPI_Session_get_nth_pset

/* *pset_len counts the end of the string: room before, need after the call. */
int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len,
                              char *pset_name)
{
    static const char call[] = "MPI_Session_get_nth_pset";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    struct mpi_info *i;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_info(p, &s->raiser, call, info, true, &i)) ||
        (rc = mpi_check_out(&s->raiser, call, pset_len, "pset_len")))
        return rc;
    if (n < 0 || n >= MPI_PSETS)
        return mpi_error(&s->raiser, MPI_ERR_ARG, call, "set %d is not in 0..%d", n, MPI_PSETS - 1);
    if (*pset_len < 0)
        return mpi_error(&s->raiser, MPI_ERR_ARG, call, "pset_len %d is negative", *pset_len);
    if (*pset_len > 0 && (rc = mpi_check_out(&s->raiser, call, pset_name, "pset_name")))
        return rc;
    *pset_len = mpi_text_give(pset_name, (size_t)*pset_len, mpi_psets[n]);
    return MPI_SUCCESS;
}

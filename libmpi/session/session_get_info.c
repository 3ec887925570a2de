/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Session_get_info = PMPI_Session_get_info

int PMPI_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    static const char call[] = "MPI_Session_get_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_out(&s->raiser, call, info_used, "info_used")))
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    if (!i || mpi_info_put(p, i, "thread_level", mpi_level_name(s->thread_level)) ||
        mpi_info_put(p, i, MPI_INFO_MEMORY_KINDS)) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error(&s->raiser, MPI_ERR_NO_MEM, call, "no memory for the info object");
    }
    *info_used = (MPI_Info)i;
    return MPI_SUCCESS;
}

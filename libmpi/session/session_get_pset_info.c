/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>

#include "core/check.h"
#include "info/info.h"
#include "comm/pset.h"

#pragma weak MPI_Session_get_pset_info = PMPI_Session_get_pset_info

int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    static const char call[] = "MPI_Session_get_pset_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_session *s;
    const struct mpi_group *g;
    int rc = mpi_check_session(p, call, session, &s);
    if (rc || (rc = mpi_check_out(&s->raiser, call, info, "info")) ||
        (rc = mpi_check_pset(p, &s->raiser, call, pset_name, &g)))
        return rc;
    char size[16];
    b_fmt(size, sizeof size, "%d", g->size);
    struct mpi_info *i = mpi_info_new(p);
    if (!i || mpi_info_put(p, i, "mpi_size", size)) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error(&s->raiser, MPI_ERR_NO_MEM, call, "no memory for the info object");
    }
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}

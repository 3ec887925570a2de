/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/comm.h"

#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect

/* All its ranks meet, so that what was sent to each other has arrived. */
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    static const char call[] = "MPI_Comm_disconnect";
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    int rc = p ? mpi_check_freed(p, call, comm, &c) : MPI_ERR_OTHER;
    if (rc)
        return rc;
    struct mpi_crowd m = mpi_comm_crowd(p, call, c, &c->group);
    uint8_t here = 0, *all = mpi_alloc(p, (size_t)c->group.size);
    rc = all ? mpi_meet_allgather(&m, &here, 1, all) : -B_ENOMEM;
    mpi_free(p, all);
    if (rc)
        return mpi_error_below(c, rc, call);
    return mpi_comm_let_go(p, call, c, comm);
}

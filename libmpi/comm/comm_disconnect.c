/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "comm/comm.h"
#include "comm/meeting.h"

#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect

/* All its ranks meet, so that what was sent to each other has arrived. */
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    static const char call[] = "MPI_Comm_disconnect";
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    int rc = p ? mpi_check_freed(p, call, comm, &c) : MPI_ERR_OTHER;
    struct mpi_bootstrap m;
    if (rc || (rc = mpi_comm_meeting(&m, p, call, c, &c->group)))
        return rc;
    uint8_t here = 0, *all = mpi_alloc(p, (size_t)c->group.size);
    rc = all ? mpi_meet_allgather(&m, &here, 1, all) : -B_ENOMEM;
    mpi_free(p, all);
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    return rc ? rc : mpi_comm_let_go(p, call, c, comm);
}

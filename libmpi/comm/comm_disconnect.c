/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/comm.h"

#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect

/* All its ranks meet, so that what was sent to each other has arrived. */
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    static const char call[] = "MPI_Comm_disconnect";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_out(NULL, call, comm, "comm");
    if (rc || (rc = mpi_check_comm(p, call, *comm, &c)))
        return rc;
    if (c == &p->world || c == &p->self)
        return mpi_error(c, MPI_ERR_COMM, call, "%s cannot be freed", c->p2p.name);
    struct mpi_crowd m = mpi_comm_crowd(p, call, c, &c->group);
    uint8_t here = 0, *all = mpi_alloc(p, (size_t)c->group.size);
    rc = all ? mpi_meet_allgather(&m, &here, 1, all) : -B_ENOMEM;
    mpi_free(p, all);
    if (rc)
        return mpi_error_below(c, rc, call);
    rc = mpi_comm_end(p, c);
    if (rc)
        return mpi_error(c, rc, call, "a function that deletes an attribute failed");
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

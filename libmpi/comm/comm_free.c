/* SPDX-License-Identifier: MIT */
#include "internal/comm.h"

#pragma weak MPI_Comm_free = PMPI_Comm_free

int PMPI_Comm_free(MPI_Comm *comm)
{
    static const char call[] = "MPI_Comm_free";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_out(NULL, call, comm, "comm");
    if (rc || (rc = mpi_check_comm(p, call, *comm, &c)))
        return rc;
    if (c == &p->world || c == &p->self)
        return mpi_error(c, MPI_ERR_COMM, call, "%s cannot be freed", c->p2p.name);
    rc = mpi_comm_end(p, c);
    if (rc)
        return mpi_error(c, rc, call, "a function that deletes an attribute failed");
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "comm/comm.h"
#include "info/info.h"

#pragma weak MPI_Comm_set_name = PMPI_Comm_set_name

int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    static const char call[] = "MPI_Comm_set_name";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, comm_name, "comm_name")))
        return rc;
    char *name = mpi_alloc(p, MPI_MAX_OBJECT_NAME);
    if (!name)
        return mpi_error_below(c, -B_ENOMEM, call);
    mpi_text_give(name, MPI_MAX_OBJECT_NAME, comm_name);
    mpi_free(p, c->name);
    c->name = name;
    c->p2p.name = c->coll.name = c->local.name = name;
    return MPI_SUCCESS;
}

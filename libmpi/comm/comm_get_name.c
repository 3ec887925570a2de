/* SPDX-License-Identifier: MIT */
#include "internal/comm.h"
#include "internal/info.h"

#pragma weak MPI_Comm_get_name = PMPI_Comm_get_name

/* One that the program did not name has an empty name, but for the predefined ones. */
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    static const char call[] = "MPI_Comm_get_name";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, comm_name, "comm_name")) ||
        (rc = mpi_check_out(c, call, resultlen, "resultlen")))
        return rc;
    bool named = c->name || c == &p->world || c == &p->self;
    *resultlen = mpi_text_give(comm_name, MPI_MAX_OBJECT_NAME, named ? c->p2p.name : "") - 1;
    return MPI_SUCCESS;
}

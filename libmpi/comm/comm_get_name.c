/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "info/info.h"

#pragma weak MPI_Comm_get_name = PMPI_Comm_get_name

/* One that the program did not name has an empty name, but for the predefined ones; they and the
 * null handle are called what mpi.h calls them. */
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    static const char call[] = "MPI_Comm_get_name";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    bool null = comm == MPI_COMM_NULL;
    struct mpi_comm *c = NULL;
    int rc = null ? MPI_SUCCESS : mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, comm_name, "comm_name")) ||
        (rc = mpi_check_out(c, call, resultlen, "resultlen")))
        return rc;
    bool named = c && (c->name || c == &p->world || c == &p->self);
    const char *name = named ? c->p2p.name : null ? "MPI_COMM_NULL" : "";
    *resultlen = mpi_text_give(comm_name, MPI_MAX_OBJECT_NAME, name) - 1;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_split = PMPI_Comm_split

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_split";
    static const char *const names[] = MPI_COMM_MADE_BY("MPI_Comm_split");
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newcomm, "newcomm")))
        return rc;
    if (color < 0 && color != MPI_UNDEFINED)
        return mpi_error(c, MPI_ERR_ARG, call, "color %d is negative", color);
    *newcomm = MPI_COMM_NULL;
    rc = mpi_comm_split(p, call, names, c, true, color, key, &made);
    if (!rc && made)
        *newcomm = mpi_comm_handle(p, made);
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#pragma weak MPI_Comm_create_group = PMPI_Comm_create_group

int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_create_group";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    struct mpi_group *g;
    int rc = mpi_check_intra(p, call, comm, &c);
    if (rc || (rc = mpi_check_group(p, c, call, group, &g)) ||
        (rc = mpi_check_out(c, call, newcomm, "newcomm")) ||
        (rc = mpi_check_tag(c, call, tag, false)) || (rc = mpi_check_subset(c, call, g)))
        return rc;
    *newcomm = MPI_COMM_NULL;
    if (g->rank == MPI_UNDEFINED)
        return MPI_SUCCESS;
    struct mpi_bootstrap m = mpi_comm_some(p, call, c, g, tag);
    rc = mpi_comm_make(&m, c, "a communicator made by MPI_Comm_create_group", g, NULL, &made);
    if (!rc)
        *newcomm = mpi_comm_handle(p, made);
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "internal/check.h"
#include "internal/errhandler.h"
#include "internal/from_group.h"

#pragma weak MPI_Comm_create_from_group = PMPI_Comm_create_from_group

int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info,
                                MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_create_from_group";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_group *g;
    struct mpi_crowd m;
    struct mpi_comm *made;
    int rc = mpi_check_group(p, call, group, &g);
    if (rc || (rc = mpi_check_out(NULL, call, newcomm, "newcomm")))
        return rc;
    *newcomm = MPI_COMM_NULL;
    if (g->size == 0)
        return MPI_SUCCESS;
    if ((rc = mpi_check_from_group(p, call, g, info, errhandler)) ||
        (rc = mpi_group_crowd(p, call, g, stringtag, &m)) ||
        (rc = mpi_comm_make(&m, NULL, "a communicator made by MPI_Comm_create_from_group", g, NULL,
                            &made)))
        return rc;
    mpi_errhandler_put(p, &made->errhandler, errhandler);
    *newcomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}

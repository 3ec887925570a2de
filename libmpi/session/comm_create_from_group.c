/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/from_group.h"

#pragma weak MPI_Comm_create_from_group = PMPI_Comm_create_from_group

int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info,
                                MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_create_from_group";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_from_group f = {.call = call,
                               .handle = group,
                               .stringtag = stringtag,
                               .info = info,
                               .errhandler = errhandler};
    struct mpi_comm *made;
    int rc = mpi_check_from_group(p, &f);
    if (rc || (rc = mpi_check_out(&f.none, call, newcomm, "newcomm")))
        return rc;
    *newcomm = MPI_COMM_NULL;
    if (!f.crowd.group)
        return MPI_SUCCESS;
    rc = mpi_comm_make(&f.crowd, &f.none, "a communicator made by MPI_Comm_create_from_group",
                       f.group, NULL, &made);
    if (!rc)
        *newcomm = mpi_comm_handle(p, made);
    return rc;
}

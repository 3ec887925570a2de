/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/check.h"

#pragma weak MPI_Comm_group = PMPI_Comm_group

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct mpi_process *p = mpi_running("MPI_Comm_group");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Comm_group", comm, &c);
    if (rc || (rc = mpi_check_out(c, "MPI_Comm_group", group, "group")))
        return rc;
    struct mpi_group *g = mpi_alloc(p, sizeof *g);
    if (!g)
        return mpi_error_below(c, -B_ENOMEM, "MPI_Comm_group");
    *g = mpi_comm_members(c);
    *group = (MPI_Group)g;
    return MPI_SUCCESS;
}

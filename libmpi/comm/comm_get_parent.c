/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Comm_get_parent = PMPI_Comm_get_parent

/* Ranks of lwmpi are never spawned. */
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    static const char call[] = "MPI_Comm_get_parent";
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, parent, "parent");
    if (!rc)
        *parent = MPI_COMM_NULL;
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Comm_size = PMPI_Comm_size

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    struct mpi_process *p = mpi_running("MPI_Comm_size");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Comm_size", comm, &c);
    if (rc || (rc = mpi_check_out(c, "MPI_Comm_size", size, "size")))
        return rc;
    *size = c->p2p.size;
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct mpi_process *p = mpi_running("MPI_Comm_set_errhandler");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Comm_set_errhandler", comm, &c);
    if (rc || (rc = mpi_check_errhandler(c, "MPI_Comm_set_errhandler", errhandler)))
        return rc;
    c->errhandler = errhandler;
    return MPI_SUCCESS;
}

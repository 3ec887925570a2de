/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Comm_get_errhandler = PMPI_Comm_get_errhandler

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct mpi_process *p = mpi_running("MPI_Comm_get_errhandler");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Comm_get_errhandler", comm, &c);
    if (rc || (rc = mpi_check_out(c, "MPI_Comm_get_errhandler", errhandler, "errhandler")))
        return rc;
    *errhandler = c->errhandler;
    return MPI_SUCCESS;
}

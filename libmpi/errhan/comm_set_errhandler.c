/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"
#include "errhan/raiser.h"

#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    static const char call[] = "MPI_Comm_set_errhandler";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_comm_raiser(p, call, comm, &at);
    if (rc || (rc = mpi_check_errhandler(at.comm, call, MPI_OWNER_COMM, errhandler)))
        return rc;
    mpi_errhandler_put(p, at.handler, errhandler);
    p->self_chosen |= at.handler == &p->self.errhandler;
    bool returns = mpi_raiser(p, NULL).handler == MPI_ERRORS_RETURN;
    mpi_enter(p, p->phase, returns ? MPI_PUBLIC_RETURNS : 0);
    return MPI_SUCCESS;
}

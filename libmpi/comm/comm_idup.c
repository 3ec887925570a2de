/* SPDX-License-Identifier: MIT */
#include "comm/idup.h"

#pragma weak MPI_Comm_idup = PMPI_Comm_idup

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    static const char call[] = "MPI_Comm_idup";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newcomm, "newcomm")) ||
        (rc = mpi_check_out(c, call, request, "request")))
        return rc;
    return mpi_comm_idup(p, call, c, NULL, newcomm, request);
}

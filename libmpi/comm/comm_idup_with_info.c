/* SPDX-License-Identifier: MIT */
#include "comm/idup.h"

#pragma weak MPI_Comm_idup_with_info = PMPI_Comm_idup_with_info

int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    static const char call[] = "MPI_Comm_idup_with_info";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    struct mpi_info *i;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, true, &i)) ||
        (rc = mpi_check_out(c, call, newcomm, "newcomm")) ||
        (rc = mpi_check_out(c, call, request, "request")))
        return rc;
    return mpi_comm_idup(p, call, c, i, newcomm, request);
}

/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Improbe = PMPI_Improbe

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                 MPI_Status *status)
{
    const char *call = "MPI_Improbe";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_probe w = {.source = source, .tag = tag, .take = true};
    int rc = mpi_check_comm(p, call, comm, &w.comm);
    if (rc || (rc = mpi_check_out(w.comm, call, flag, "flag")) ||
        (rc = mpi_check_out(w.comm, call, message, "message")) ||
        (rc = mpi_probe(p, call, &w, status)))
        return rc;
    *flag = w.found;
    return w.found ? mpi_message_give(p, call, &w, message) : MPI_SUCCESS;
}

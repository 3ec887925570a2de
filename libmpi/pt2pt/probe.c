/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Probe = PMPI_Probe

static inline int probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    const char *call = "MPI_Probe";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_probe w = {.source = source, .tag = tag, .wait = true};
    int rc = mpi_check_comm(p, call, comm, &w.comm);
    return rc ? rc : mpi_probe(p, call, &w, status);
}

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    return mpu_return(probe(source, tag, comm, status));
}

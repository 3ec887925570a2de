/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Iprobe = PMPI_Iprobe

static inline int iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    const char *call = "MPI_Iprobe";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_probe w = {.source = source, .tag = tag};
    int rc = mpi_check_comm(p, call, comm, &w.comm);
    if (rc || (rc = mpi_check_out(w.comm, call, flag, "flag")) ||
        (rc = mpi_probe(p, call, &w, status)))
        return rc;
    *flag = w.found;
    return MPI_SUCCESS;
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    return mpu_return(iprobe(source, tag, comm, flag, status));
}

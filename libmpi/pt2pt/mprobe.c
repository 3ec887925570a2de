/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Mprobe = PMPI_Mprobe

static inline int mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                         MPI_Status *status)
{
    const char *call = "MPI_Mprobe";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_probe w = {.source = source, .tag = tag, .take = true, .wait = true};
    int rc = mpi_check_comm(p, call, comm, &w.comm);
    if (rc || (rc = mpi_check_out(w.comm, call, message, "message")) ||
        (rc = mpi_probe(p, call, &w, status)))
        return rc;
    return mpi_message_give(p, call, &w, message);
}

int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    return mpu_return(mprobe(source, tag, comm, message, status));
}

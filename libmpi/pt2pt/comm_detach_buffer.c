/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "pt2pt/buffer.h"

#pragma weak MPI_Comm_detach_buffer = PMPI_Comm_detach_buffer
#pragma weak MPI_Comm_detach_buffer_c = PMPI_Comm_detach_buffer_c

static int detach(const char *call, MPI_Comm comm, void *buffer_addr, MPI_Count *size,
                  MPI_Count most)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, buffer_addr, "buffer_addr")) ||
        (rc = mpi_check_out(c, call, size, "size")))
        return rc;
    return mpi_buffer_detach(p, call, c, buffer_addr, size, most);
}

int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
    MPI_Count n;
    int rc = detach("MPI_Comm_detach_buffer", comm, buffer_addr, size ? &n : NULL, INT_MAX);
    if (!rc)
        *size = (int)n;
    return rc;
}

int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    return detach("MPI_Comm_detach_buffer_c", comm, buffer_addr, size, INT64_MAX);
}

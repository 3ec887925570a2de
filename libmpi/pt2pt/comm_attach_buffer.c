/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Comm_attach_buffer = PMPI_Comm_attach_buffer
#pragma weak MPI_Comm_attach_buffer_c = PMPI_Comm_attach_buffer_c

static int attach(const char *call, MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc)
        return rc;
    return mpi_buffer_attach(p, call, c, buffer, size);
}

int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
    return attach("MPI_Comm_attach_buffer", comm, buffer, size);
}

int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
    return attach("MPI_Comm_attach_buffer_c", comm, buffer, size);
}

/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Buffer_attach = PMPI_Buffer_attach
#pragma weak MPI_Buffer_attach_c = PMPI_Buffer_attach_c

static int attach(const char *call, void *buffer, MPI_Count size)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_buffer_attach(p, call, NULL, buffer, size);
}

int PMPI_Buffer_attach(void *buffer, int size)
{
    return attach("MPI_Buffer_attach", buffer, size);
}

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    return attach("MPI_Buffer_attach_c", buffer, size);
}

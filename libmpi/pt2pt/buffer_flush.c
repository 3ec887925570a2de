/* SPDX-License-Identifier: MIT */
#include "pt2pt/buffer.h"

#pragma weak MPI_Buffer_flush = PMPI_Buffer_flush

int PMPI_Buffer_flush(void)
{
    const char *call = "MPI_Buffer_flush";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_buffer_flush(p, call, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "pt2pt/buffer.h"

#pragma weak MPI_Buffer_detach = PMPI_Buffer_detach
#pragma weak MPI_Buffer_detach_c = PMPI_Buffer_detach_c

static int detach(const char *call, void *buffer_addr, MPI_Count *size, MPI_Count most)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, buffer_addr, "buffer_addr");
    if (rc || (rc = mpi_check_out(NULL, call, size, "size")))
        return rc;
    return mpi_buffer_detach(p, call, NULL, buffer_addr, size, most);
}

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    MPI_Count n;
    int rc = detach("MPI_Buffer_detach", buffer_addr, size ? &n : NULL, INT_MAX);
    if (!rc)
        *size = (int)n;
    return rc;
}

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    return detach("MPI_Buffer_detach_c", buffer_addr, size, INT64_MAX);
}

/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "internal/status.h"

void mpi_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    memset(status->MPI_internal, 0, sizeof status->MPI_internal);
    memcpy(status->MPI_internal, &bytes, sizeof bytes); /* aligned to int only */
}

MPI_Count mpi_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes;
    memcpy(&bytes, status->MPI_internal, sizeof bytes);
    return bytes;
}

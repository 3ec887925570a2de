/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "request/status.h"

/* MPI_internal: two for the bytes, one for cancelled. */
enum { BYTES = 0, CANCELLED = 2 };

void mpi_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    memset(status->MPI_internal, 0, sizeof status->MPI_internal);
    mpi_status_set_bytes(status, bytes);
}

void mpi_status_empty(MPI_Status *status)
{
    mpi_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
}

/* Aligned to int only. */
MPI_Count mpi_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes;
    memcpy(&bytes, &status->MPI_internal[BYTES], sizeof bytes);
    return bytes;
}

void mpi_status_set_bytes(MPI_Status *status, MPI_Count bytes)
{
    memcpy(&status->MPI_internal[BYTES], &bytes, sizeof bytes);
}

void mpi_status_cancelled(MPI_Status *status, bool cancelled)
{
    status->MPI_internal[CANCELLED] = cancelled;
}

bool mpi_status_is_cancelled(const MPI_Status *status)
{
    return status->MPI_internal[CANCELLED];
}

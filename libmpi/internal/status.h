/* SPDX-License-Identifier: MIT */
/* What the library keeps in MPI_Status.MPI_internal. */
#ifndef MPI_INTERNAL_STATUS_H
#define MPI_INTERNAL_STATUS_H

#include <mpi.h>

/* Sets source, tag and bytes received; MPI_ERROR stays as it is, as the standard asks of
 * functions that return one status. Nothing for MPI_STATUS_IGNORE. */
void mpi_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes);

/* Bytes received. */
MPI_Count mpi_status_bytes(const MPI_Status *status);

#endif

/* SPDX-License-Identifier: MIT */
/* What the library keeps in MPI_Status.MPI_internal. */
#ifndef MPI_REQUEST_STATUS_H
#define MPI_REQUEST_STATUS_H

#include <stdbool.h>

#include <mpi.h>

/* Sets source, tag and bytes received, not cancelled; MPI_ERROR stays as it is, as the standard
 * asks of functions that return one status. Nothing for MPI_STATUS_IGNORE. */
void mpi_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes);

/* The empty status (MPI 5.0, 3.7.3) but for MPI_ERROR. */
void mpi_status_empty(MPI_Status *status);

/* Bytes received. */
MPI_Count mpi_status_bytes(const MPI_Status *status);
void mpi_status_set_bytes(MPI_Status *status, MPI_Count bytes);

/* Was the operation cancelled? */
void mpi_status_cancelled(MPI_Status *status, bool cancelled);
bool mpi_status_is_cancelled(const MPI_Status *status);

#endif

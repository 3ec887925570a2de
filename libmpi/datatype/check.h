/* SPDX-License-Identifier: MIT */
/* Checks of datatypes and of data, as those of other arguments (core/check.h). */
#ifndef MPI_DATATYPE_CHECK_H
#define MPI_DATATYPE_CHECK_H

#include "core/check.h"
#include "datatype/type.h"

/* A datatype, committed or not; or MPI_ERR_TYPE. */
int mpi_check_type(struct mpi_comm *c, const char *call, MPI_Datatype handle,
                   const struct mpi_type **t);

/* count >= 0, a committed datatype t, their bytes (of the packed form) representable, a buffer
 * where there are bytes. */
int mpi_check_data(struct mpi_comm *c, const char *call, const void *buf, MPI_Count count,
                   MPI_Datatype handle, const struct mpi_type **t, uint64_t *bytes);

#endif

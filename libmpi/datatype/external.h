/* SPDX-License-Identifier: MIT */
/* The data representation "external32": big-endian, IEEE, sizes of MPI 5.0, table 14.2. */
#ifndef MPI_DATATYPE_EXTERNAL_H
#define MPI_DATATYPE_EXTERNAL_H

#include "datatype/type.h"

/* MPI_SUCCESS if datarep is "external32"; else raises MPI_ERR_UNSUPPORTED_DATAREP. */
int mpi_check_external(const char *call, const char *datarep);

/* Bytes of one t in external32. */
uint64_t mpi_external_size(const struct mpi_type *t);

void mpi_external_pack(const struct mpi_type *t, MPI_Count count, const void *buf, void *to);
void mpi_external_unpack(const struct mpi_type *t, MPI_Count count, void *buf, const void *data);

#endif

/* SPDX-License-Identifier: MIT */
/* What the functions that pack into buffers of the program share. */
#ifndef MPI_DATATYPE_TYPE_PACKED_H
#define MPI_DATATYPE_TYPE_PACKED_H

#include "datatype/check.h"

/* A buffer of `size` bytes, of which *position are used. */
struct mpi_packed {
    const void *buf;
    const char *name; /* as the standard calls it */
    MPI_Count size;
    const MPI_Count *position;
};

/* The buffer holds n more bytes: MPI_ERR_TRUNCATE if not, MPI_ERR_ARG for a bad size or position,
 * MPI_ERR_BUFFER for one that is no address. Raised on c. */
int mpi_check_packed(struct mpi_comm *c, const char *call, const struct mpi_packed *p, uint64_t n);

/* The bytes of count elements of `each` bytes.
 * MPI_ERR_COUNT if count is negative or the product too large. Raised on c. */
int mpi_packed_size(struct mpi_comm *c, const char *call, MPI_Count count, uint64_t each,
                    MPI_Count *size);

#endif

/* SPDX-License-Identifier: MIT */
/* Datatypes: the predefined ones of the ABI. */
#ifndef MPI_INTERNAL_TYPE_H
#define MPI_INTERNAL_TYPE_H

#include <mpi.h>

struct mpi_type {
    uint8_t size, extent; /* bytes */
};

/* The type of a handle, NULL if it is none. */
const struct mpi_type *mpi_type(MPI_Datatype handle);

/* Bytes that one element occupies in a message: its extent, for the pair types keep their gap. */
static inline int mpi_type_span(const struct mpi_type *t)
{
    return t->extent;
}

#endif

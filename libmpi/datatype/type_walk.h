/* SPDX-License-Identifier: MIT */
/* The walk over the basic elements of data, on which conversion is built. */
#ifndef MPI_DATATYPE_TYPE_WALK_H
#define MPI_DATATYPE_TYPE_WALK_H

#include "datatype/type.h"

struct mpi_walk;

/* n elements of a basic type, one behind the other, in the order of the packed form. */
typedef void mpi_visit(struct mpi_walk *w, uintptr_t at, uint64_t n, const struct mpi_type *basic);

struct mpi_walk {
    mpi_visit *visit;
};

/* Visits all of count elements at `at`. */
void mpi_type_walk(struct mpi_walk *w, const struct mpi_type *t, MPI_Count count, uintptr_t at);

#endif

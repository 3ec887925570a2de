/* SPDX-License-Identifier: MIT */
/* Types of Fortran chosen by precision and range. */
#ifndef MPI_DATATYPE_TYPE_F90_H
#define MPI_DATATYPE_TYPE_F90_H

#include "datatype/type.h"

/* A kind of number of the compiler: p decimal digits, exponents up to r. */
struct mpi_f90_kind {
    int p, r;
    MPI_Datatype type;
};

/* The first of n kinds (by growing size) that has at least precision p and range r, as an unnamed
 * predefined type; the same arguments give the same handle. For combiner F90_INTEGER p is
 * MPI_UNDEFINED. Raises MPI_ERR_ARG if no kind has as much or both are MPI_UNDEFINED. */
int mpi_type_f90(const char *call, int combiner, int p, int r, const struct mpi_f90_kind *kinds,
                 int n, MPI_Datatype *newtype);

#endif

/* SPDX-License-Identifier: MIT */
/* What the library knows of the Fortran compiler: that it is GNU Fortran, whose types are those of
 * datatypes.def, and whose truth values are 1 and 0. */
#ifndef MPI_ABI_FORTRAN_H
#define MPI_ABI_FORTRAN_H

#include "core/err.h"

struct mpi_fortran_fact {
    const char *key; /* "mpi_X_size", or "mpi_X_supported" */
    MPI_Datatype type;
    bool size;
};

#define MPI_FORTRAN_FACTS 23
extern const struct mpi_fortran_fact mpi_fortran_facts[MPI_FORTRAN_FACTS];

/* The value of a fact: a number of bytes, "true" or "false". `text` has room for 8 bytes. */
const char *mpi_fortran_value(const struct mpi_fortran_fact *f, char *text);

/* Writes a truth value of a LOGICAL of `size` bytes. False: there is none of that size. */
bool mpi_fortran_logical(int size, bool truth, void *value);

#endif

/* SPDX-License-Identifier: MIT */
/* The arguments a type was made from, in the order of MPI 5.0, 5.1.13. */
#ifndef MPI_DATATYPE_TYPE_CONTENTS_H
#define MPI_DATATYPE_TYPE_CONTENTS_H

#include "datatype/type.h"

/* How many of each kind there are, and where they go; arrays that are NULL are only counted. */
struct mpi_contents {
    MPI_Count ints, addresses, counts, types;
    int *int_at;
    MPI_Aint *address_at;
    MPI_Count *count_at;
    MPI_Datatype *type_at; /* not retained */
};

void mpi_type_contents(const struct mpi_type *t, struct mpi_contents *c);

#endif

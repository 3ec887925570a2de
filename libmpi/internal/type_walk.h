/* SPDX-License-Identifier: MIT */
/* The walk over the data of a type, on which packing, iteration and conversion are built. */
#ifndef MPI_INTERNAL_TYPE_WALK_H
#define MPI_INTERNAL_TYPE_WALK_H

#include "internal/type.h"

struct mpi_walk;

/* A strip of the data, in packed order: `blocks` runs of `bytes`, `stride` apart. basic: what each
 * is, only when walked by basic types. (In registers: it is called for every 8 bytes at times.) */
typedef void mpi_visit(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                       MPI_Aint stride, const struct mpi_type *basic);

struct mpi_walk {
    uint64_t skip, left; /* bytes of the packed form: to pass over, then to visit */
    bool by_basic;       /* every strip holds whole elements of one basic type, one per block */
    mpi_visit *visit;
};

/* Visits w->left bytes of count elements at `at` after w->skip bytes. */
void mpi_type_walk(struct mpi_walk *w, const struct mpi_type *t, MPI_Count count, uintptr_t at);

#endif

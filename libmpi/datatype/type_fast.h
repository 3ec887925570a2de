/* SPDX-License-Identifier: MIT */
/* Loops of type_copy.c for runs that are short, a loop for each kind of length. Static programs,
 * whose library has to be small, are linked without them: runs are then copied one by one. */
#ifndef MPI_DATATYPE_TYPE_FAST_H
#define MPI_DATATYPE_TYPE_FAST_H

#include <base/link.h>

#include "datatype/type_plan.h"

/* Runs in rows. Strides lead from a run to the next one of its row, steps from row to row. */
struct mpi_grid {
    unsigned char *to;
    const unsigned char *from;
    MPI_Aint to_stride, from_stride, to_step, from_step;
    uint64_t rows, runs, bytes;
};
typedef void mpi_copy_fn(const struct mpi_grid *g);

/* Copies runs, of `bytes` each, from their places behind `at` to packed ones, or back. */
typedef void mpi_gather_fn(unsigned char *packed, const MPI_Aint *place, uintptr_t at,
                           uint64_t runs, uint64_t bytes);

struct mpi_copy_loops {
    mpi_copy_fn *copy;
    mpi_gather_fn *gather, *scatter;
};

/* The loops for runs of `bytes`, at least one. NULL: they are so long that a loop gains nothing. */
B_IF_LINKED const struct mpi_copy_loops *mpi_copy_loops(uint64_t bytes);

#endif

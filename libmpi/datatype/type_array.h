/* SPDX-License-Identifier: MIT */
/* Layouts of parts of arrays, built from vectors dimension by dimension, the fastest first. */
#ifndef MPI_DATATYPE_TYPE_ARRAY_H
#define MPI_DATATYPE_TYPE_ARRAY_H

#include "datatype/type_make.h"

/* A layout under construction; every step replaces it by one that holds it. */
struct mpi_layout {
    const struct mpi_maker *m;
    const struct mpi_type *type;
    MPI_Aint stride; /* from one element of the next dimension to the next one, bytes */
    MPI_Aint offset; /* where the part begins, bytes */
};

int mpi_layout_begin(struct mpi_layout *l, const struct mpi_maker *m, const struct mpi_type *old);

/* One more dimension of `size` elements, of which n from `start` on are taken. */
int mpi_layout_block(struct mpi_layout *l, MPI_Count size, MPI_Count start, MPI_Count n);

/* One more dimension of `size` elements, of which blocks of `block` are dealt in turns to
 * `processes`; process `mine` takes its own. */
int mpi_layout_cyclic(struct mpi_layout *l, MPI_Count size, MPI_Count block, MPI_Count processes,
                      MPI_Count mine);

/* Moves the part to its place, and gives it the bounds of the whole array. The layout is consumed,
 * also on error: mpi_layout_drop is for errors between. */
int mpi_layout_end(struct mpi_layout *l, int combiner, const struct mpi_type *old,
                   const MPI_Count *args, MPI_Count n, struct mpi_type **made);
void mpi_layout_drop(struct mpi_layout *l);

#endif

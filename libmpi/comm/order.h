/* SPDX-License-Identifier: MIT */
/* The order in which a split lines up its members: by their colors, those of one color by their
 * keys, equal ones as they come. */
#ifndef MPI_COMM_ORDER_H
#define MPI_COMM_ORDER_H

#include "comm/wishes.h"

/* Those of n members from `first` on that wish `color`, or, MPI_UNDEFINED, any; how many. */
int mpi_order(const struct mpi_wishes *w, int first, int n, int color, int *members);

/* Of members in that order: where those of a color begin; behind: where they end. */
int mpi_order_find(const struct mpi_wishes *w, const int *members, int n, int color, bool behind);

#endif

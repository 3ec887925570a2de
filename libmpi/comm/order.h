/* SPDX-License-Identifier: MIT */
/* The order in which a split lines up its members: by their colors, those of one color by their
 * keys, equal ones as they come. */
#ifndef MPI_COMM_ORDER_H
#define MPI_COMM_ORDER_H

#include "comm/wishes.h"

/* Those of n members from `first` on that wish `color`, or, MPI_UNDEFINED, any; how many. */
int mpi_order(const struct mpi_wishes *w, int first, int n, int color, int *members);

/* Of members in that order: how many wish a lower color. */
int mpi_order_below(const struct mpi_wishes *w, const int *members, int n, int64_t color);

#endif

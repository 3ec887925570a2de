/* SPDX-License-Identifier: MIT */
/* Balanced grids. */
#ifndef MPI_TOPO_DIMS_H
#define MPI_TOPO_DIMS_H

#include "core/object.h"

/* n = dims[0] * ... * dims[k-1], never increasing, with the smallest dims[0] - dims[k-1], and the
 * largest dims[k-1], then dims[k-2] and so on among those. n >= 1, k >= 1. -B_ENOMEM. */
int mpi_dims_balance(struct mpi_process *p, int n, int k, int *dims);

#endif

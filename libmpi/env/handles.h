/* SPDX-License-Identifier: MIT */
/* Integers for handles, for languages that have no pointers. */
#ifndef MPI_ENV_HANDLES_H
#define MPI_ENV_HANDLES_H

#include "core/err.h"

/* The number of a handle: predefined ones have that of the ABI, others get one at the first call,
 * and the same address always has the same. Raises MPI_ERR_NO_MEM for `call` and returns 0. */
int mpi_handle_toint(const char *call, const void *handle);

/* The handle of a number; `null` for a number that was never given. */
void *mpi_handle_fromint(int number, void *null);

#endif

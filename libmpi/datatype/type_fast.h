/* SPDX-License-Identifier: MIT */
/* Loops of type_copy.c for runs of the usual sizes, which the compiler knows there. Static
 * programs, whose library has to be small, are linked without them: any size is then copied as
 * others are. */
#ifndef MPI_DATATYPE_TYPE_FAST_H
#define MPI_DATATYPE_TYPE_FAST_H

#include <base/link.h>

#include "datatype/type_plan.h"

/* Copies so many blocks, each a stride behind the one before. False: it is no usual size. */
B_IF_LINKED bool mpi_copy_fast(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                               MPI_Aint from_stride, uint64_t blocks, uint64_t bytes);

/* Copies runs of `each` bytes at their places behind `at` to packed ones, or from there. Likewise;
 * each 0: they differ. */
B_IF_LINKED bool mpi_gather_fast(unsigned char *packed, const struct mpi_plan_run *run,
                                 uintptr_t at, uint64_t runs, uint64_t each, bool unpack);

#endif

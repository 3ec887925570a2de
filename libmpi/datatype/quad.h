/* SPDX-License-Identifier: MIT */
/* IEEE binary128, by its width: clang knows no _Float128, and on x86 long double is shorter. */
#ifndef MPI_DATATYPE_QUAD_H
#define MPI_DATATYPE_QUAD_H

typedef float mpi_quad __attribute__((mode(TF)));

#endif

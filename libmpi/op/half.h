/* SPDX-License-Identifier: MIT */
/* IEEE binary16 (MPI_REAL2), by way of float: not every compiler has the type. */
#ifndef MPI_OP_HALF_H
#define MPI_OP_HALF_H

#include <stdint.h>

float mpi_from_half(uint16_t half);

/* Rounds to nearest, ties to even. */
uint16_t mpi_to_half(float value);

#endif

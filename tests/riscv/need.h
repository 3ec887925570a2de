/* SPDX-License-Identifier: MIT */
/* What must hold in a program on bare metal, or the job ends. */
#ifndef TESTS_RISCV_NEED_H
#define TESTS_RISCV_NEED_H

#include <mpi.h>
#include <stdio.h>

static inline void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

#endif

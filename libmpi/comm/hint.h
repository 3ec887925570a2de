/* SPDX-License-Identifier: MIT */
/* The hints of a communicator that the standard names, each an assertion of the program. */
#ifndef MPI_COMM_HINT_H
#define MPI_COMM_HINT_H

#include "info/info.h"

/* Bits of struct mpi_comm.hints. */
enum mpi_hint {
    MPI_HINT_NO_ANY_TAG = 1,
    MPI_HINT_NO_ANY_SOURCE = 2,
    MPI_HINT_EXACT_LENGTH = 4,
    MPI_HINT_OVERTAKING = 8
};

/* Takes over those that i has; others are ignored. i may be NULL. */
void mpi_hints_take(struct mpi_comm *c, const struct mpi_info *i);

/* A new info object with all of them and their values. An error class, raised. */
int mpi_hints_give(struct mpi_process *p, const char *call, struct mpi_comm *c, MPI_Info *info);

#endif

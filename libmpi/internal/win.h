/* SPDX-License-Identifier: MIT */
/* Windows, as far as every object has it. */
#ifndef MPI_INTERNAL_WIN_H
#define MPI_INTERNAL_WIN_H

#include "internal/err.h"

struct mpi_win {
    enum mpi_magic magic;
    MPI_Errhandler errhandler;
    struct mpi_attr *attrs;
};

/* The window of a handle; else raises MPI_ERR_WIN. */
int mpi_check_win(struct mpi_process *p, const char *call, MPI_Win handle, struct mpi_win **w);

#endif

/* SPDX-License-Identifier: MIT */
/* Error classes and codes of the program: numbers beyond MPI_ERR_LASTCODE. */
#ifndef MPI_ERRHAN_CODE_H
#define MPI_ERRHAN_CODE_H

#include "core/err.h"

#define MPI_CODE_OWN_CLASS (-1)

/* Adds a code of a class, or a class. Raises MPI_ERR_NO_MEM. */
int mpi_code_add(struct mpi_process *p, const char *call, int class, int *number);
int mpi_code_remove(struct mpi_process *p, const char *call, struct mpi_code *c);

/* The entry of a code that the program added; else raises MPI_ERR_ARG. */
int mpi_check_own_code(struct mpi_process *p, const char *call, int number, struct mpi_code **c);

#endif

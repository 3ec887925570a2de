/* SPDX-License-Identifier: MIT */
/* Sets of processes that a session offers, and by which communicators are split. */
#ifndef MPI_COMM_PSET_H
#define MPI_COMM_PSET_H

#include "group/group.h"

#define MPI_PSETS 3

extern const char *const mpi_psets[MPI_PSETS]; /* their names */

/* The group of a set; NULL for a name that is none. */
const struct mpi_group *mpi_pset(const struct mpi_process *p, const char *name);

/* The same; raises MPI_ERR_ARG on c. */
int mpi_check_pset(struct mpi_process *p, struct mpi_comm *c, const char *call, const char *name,
                   const struct mpi_group **g);

#endif

/* SPDX-License-Identifier: MIT */
/* Sets of processes that a session offers. */
#ifndef MPI_SESSION_PSET_H
#define MPI_SESSION_PSET_H

#include "group/group.h"
#include "core/check.h"

#define MPI_PSETS 3

extern const char *const mpi_psets[MPI_PSETS]; /* their names */

/* The group of a set, to be dropped or handed on; raises MPI_ERR_ARG for a name that is none. */
int mpi_check_pset(struct mpi_process *p, const char *call, struct mpi_session *s, const char *name,
                   struct mpi_group *g);

#endif

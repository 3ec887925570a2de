/* SPDX-License-Identifier: MIT */
/* Communicators of groups alone, without a communicator to begin with. */
#ifndef MPI_INTERNAL_FROM_GROUP_H
#define MPI_INTERNAL_FROM_GROUP_H

#include "internal/bridge.h"

/* Where the members of a group meet under a tag; NULL or too long: raises MPI_ERR_ARG. Different
 * tags may share a meeting place: what two ranks say to each other there is in order. */
int mpi_group_crowd(struct mpi_process *p, const char *call, const struct mpi_group *g,
                    const char *stringtag, struct mpi_crowd *m);

/* Checks what both functions get: the caller in the group, info, error handler. */
int mpi_check_from_group(struct mpi_process *p, const char *call, const struct mpi_group *g,
                         MPI_Info info, MPI_Errhandler errhandler);

#endif

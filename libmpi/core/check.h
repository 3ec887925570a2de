/* SPDX-License-Identifier: MIT */
/* Checks of arguments, one per kind. Each returns MPI_SUCCESS, or raises the right class and
 * returns it. c: on whom it is raised (mpi_error). */
#ifndef MPI_CORE_CHECK_H
#define MPI_CORE_CHECK_H

#include "core/err.h"

/* The communicator of a handle, or MPI_ERR_COMM. */
int mpi_check_comm(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c);

/* The group of a handle, or MPI_ERR_GROUP. */
int mpi_check_group(struct mpi_process *p, struct mpi_comm *c, const char *call, MPI_Group handle,
                    struct mpi_group **g);

/* The window and the session of a handle, or MPI_ERR_WIN and MPI_ERR_SESSION. */
int mpi_check_win(struct mpi_process *p, const char *call, MPI_Win handle, struct mpi_win **w);
int mpi_check_session(struct mpi_process *p, const char *call, MPI_Session handle,
                      struct mpi_session **s);

/* A pointer through which a result is given. */
int mpi_check_out(struct mpi_comm *c, const char *call, const void *pointer, const char *name);

/* A rank of c or MPI_PROC_NULL; where `any`, also MPI_ANY_SOURCE. */
int mpi_check_rank(struct mpi_comm *c, const char *call, int rank, bool any);

/* 0 .. INT_MAX; where `any`, also MPI_ANY_TAG. */
int mpi_check_tag(struct mpi_comm *c, const char *call, int tag, bool any);

#endif

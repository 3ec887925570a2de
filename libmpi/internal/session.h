/* SPDX-License-Identifier: MIT */
/* Sessions: uses of MPI beside MPI_Init. */
#ifndef MPI_INTERNAL_SESSION_H
#define MPI_INTERNAL_SESSION_H

#include "internal/err.h"

struct mpi_session {
    enum mpi_magic magic;
    struct mpi_session *next;
    MPI_Errhandler errhandler;
    int thread_level;
};

/* The session of a handle; else raises MPI_ERR_SESSION. */
int mpi_check_session(struct mpi_process *p, const char *call, MPI_Session handle,
                      struct mpi_session **s);

/* Raises an error of a session: as mpi_raise. */
#define mpi_session_error(s, class, call, ...)                                                     \
    mpi_raise(&(struct mpi_raiser){(s)->errhandler, (s), "a session"}, class, call, __VA_ARGS__)

#endif

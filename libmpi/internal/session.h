/* SPDX-License-Identifier: MIT */
/* Sessions: uses of MPI beside MPI_Init. */
#ifndef MPI_INTERNAL_SESSION_H
#define MPI_INTERNAL_SESSION_H

#include "internal/err.h"

/* Checks raise errors on a communicator. That of a session is none: it has the session's magic, the
 * handler and a name, no more. It comes first, so its address is the session's handle. */
struct mpi_session {
    struct mpi_comm raiser;
    struct mpi_session *next;
    int thread_level;
};

/* The session of a handle; else raises MPI_ERR_SESSION. */
int mpi_check_session(struct mpi_process *p, const char *call, MPI_Session handle,
                      struct mpi_session **s);

#endif

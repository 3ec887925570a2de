/* SPDX-License-Identifier: MIT */
/* How two groups come together: their leaders trade what the other side needs, then tell it to
 * their own group. */
#ifndef MPI_COMM_BRIDGE_H
#define MPI_COMM_BRIDGE_H

#include "comm/comm.h"

struct mpi_bridge {
    struct mpi_bootstrap local;   /* the local group */
    int leader;                   /* its rank there */
    struct mpi_bootstrap between; /* leader only: where the leaders meet (context and tag) */
    int far;                      /* leader only: world rank of the other leader */
    int class;               /* leader only: an error raised already, which ends it for the group */
    struct mpi_comm *parent; /* errors and error handler; NULL: none */
    const char *name;        /* of the new communicator */
};

/* A leader that cannot take part at all tells the other side why. */
void mpi_bridge_refuse(const struct mpi_bridge *b, int class);

/* Makes an intercommunicator of the local group and that of the leader `far`: all ranks of both, or
 * none of them. Raises MPI_ERR_COMM if they overlap. */
int mpi_bridge(struct mpi_process *p, const struct mpi_bridge *b, struct mpi_comm **made);

#endif

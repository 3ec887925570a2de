/* SPDX-License-Identifier: MIT */
/* Communicators of groups alone, without a communicator to begin with. */
#ifndef MPI_COMM_FROM_GROUP_H
#define MPI_COMM_FROM_GROUP_H

#include "comm/bridge.h"

/* What both functions are given. */
struct mpi_from_group {
    const char *call;
    MPI_Group handle;
    const char *stringtag;
    MPI_Info info;
    MPI_Errhandler errhandler; /* also of what goes wrong meanwhile */

    struct mpi_comm none; /* no communicator, but has the error handler */
    struct mpi_group *group;
    struct mpi_bootstrap crowd; /* its members, who meet under the tag */
};

/* Checks all that is given and fills in the rest. Different tags may share a meeting place: what
 * two ranks say to each other there is in order. A group of none is not met: then crowd.group is
 * NULL. */
int mpi_check_from_group(struct mpi_process *p, struct mpi_from_group *f);

#endif

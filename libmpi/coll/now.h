/* SPDX-License-Identifier: MIT */
/* The short way of collectives of few bytes whose ranks live in one cluster and have met there
 * before: nothing is made but what the meeting needs, and few lines are touched. It is the same
 * meeting as in hall.c, so ranks may come by either. */
#ifndef MPI_COLL_NOW_H
#define MPI_COLL_NOW_H

#include "coll/coll.h"

/* The communicator of a call that may take the short way, NULL: it goes the long way, which also
 * tells what is wrong. */
struct mpi_comm *mpi_at_once(struct mpi_process *p, MPI_Comm handle, enum mpi_choice choice);

/* Wait. An error class, raised. */
int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c);

/* The same for the arguments of a call, any. False: they are not ordinary enough, or wrong; it must
 * go the long way. */
struct mpi_small {
    const char *call;
    void *out;
    const void *in; /* broadcast: NULL */
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
};
bool mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                       int *rc);
bool mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                        int *rc);
bool mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                           int *rc);

#endif

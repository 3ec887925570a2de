/* SPDX-License-Identifier: MIT */
/* The short way of collectives of few bytes whose ranks live in one cluster and have met there
 * before: nothing is made but what the meeting needs, and few lines are touched. It is the same
 * meeting as in hall.c, so ranks may come by either. A static program, which pays for each byte and
 * whose ranks are mostly processes, does not carry it: what is here is linked only where something
 * else asks for it. */
#ifndef MPI_COLL_NOW_H
#define MPI_COLL_NOW_H

#include "coll/agree.h"

/* The communicator of a call that may take the short way, NULL: it goes the long way, which also
 * tells what is wrong. */
MPI_IF_LINKED struct mpi_comm *mpi_at_once_of(struct mpi_process *p, MPI_Comm handle,
                                              enum mpi_choice choice);
static inline struct mpi_comm *mpi_at_once(struct mpi_process *p, MPI_Comm handle,
                                           enum mpi_choice choice)
{
    if (p && handle == MPI_COMM_WORLD && p->phase == MPI_INITIALIZED && !p->algorithm[choice] &&
        p->world.at_once)
        return &p->world;
    return mpi_at_once_of ? mpi_at_once_of(p, handle, choice) : NULL;
}

/* Wait. An error class, raised. */
MPI_IF_LINKED int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c);

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
MPI_IF_LINKED bool mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c,
                                     const struct mpi_small *a, int *rc);
MPI_IF_LINKED bool mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c,
                                      const struct mpi_small *a, int *rc);
MPI_IF_LINKED bool mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c,
                                         const struct mpi_small *a, int *rc);

#endif

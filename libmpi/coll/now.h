/* SPDX-License-Identifier: MIT */
/* The short way of collectives of few bytes whose ranks live in one cluster and have met there
 * before: nothing is made but what the meeting needs, and few lines are touched. It is the same
 * meeting as in hall.c, so ranks may come by either. A static program, which pays for each byte and
 * whose ranks are mostly processes, does not carry it (LWMPI_SMALL). */
#ifndef MPI_COLL_NOW_H
#define MPI_COLL_NOW_H

#include "coll/agree.h"

/* The communicator of a call that may take the short way, NULL: it goes the long way, which also
 * tells what is wrong. _quickly: NULL also if it is another one than that of the call before. */
struct mpi_comm *mpi_at_once_of(struct mpi_process *p, MPI_Comm handle, enum mpi_choice choice);
static inline struct mpi_comm *mpi_at_once(struct mpi_process *p, MPI_Comm handle,
                                           enum mpi_choice choice)
{
    return LWMPI_SMALL ? NULL : mpi_at_once_of(p, handle, choice);
}
static inline struct mpi_comm *mpi_at_once_quickly(struct mpi_process *p, MPI_Comm handle,
                                                   enum mpi_choice choice)
{
    struct mpi_comm *c = p && !LWMPI_SMALL ? p->recent.comm : NULL;
    return c && p->recent.handle == handle && !p->algorithm[choice] ? c : NULL;
}

/* Wait. An error class, raised. */
int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c);

/* The same for the arguments of a call, any. MPI_NOT_AT_ONCE: nothing happened, as they are not
 * ordinary enough, or wrong; it must go the long way. */
#define MPI_NOT_AT_ONCE (-1)
struct mpi_small {
    const char *call;
    void *out;
    const void *in; /* broadcast: NULL */
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
};
int mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a);
int mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a);
int mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a);

#endif

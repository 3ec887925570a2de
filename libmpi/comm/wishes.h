/* SPDX-License-Identifier: MIT */
/* What the members of a communicator that is split wish, heard by all of them, and the groups that
 * this makes.
 *
 * Few wishes each rank gathers for itself. Of many, that would be a cluster's memory as many times
 * as it has ranks; there the first member of each cluster gathers them and lines up all members,
 * and all members of the cluster read the same: groups of many are parts of one list. */
#ifndef MPI_COMM_WISHES_H
#define MPI_COMM_WISHES_H

#include <mpiutil/segment.h>

#include "comm/comm.h"

struct mpi_wish {
    int color, key;
    uint32_t id; /* of the communicator, if this rank leads it */
    int world;
};

struct mpi_wishes {
    const struct mpi_wish *all;
    const struct mpu_position *position; /* in the order of these; NULL: of the members */
    int most;                            /* of a cluster have so many places, used or not */

    /* Where they lie. */
    struct mpi_wish *own;    /* ... each rank's own. Else: */
    struct mpi_wish *near;   /* those of the members in this cluster */
    struct mpi_ranks *mates; /* ... who they are */
    struct mpi_heard *heard; /* what they share */
    bool leads, told;        /* ... which this rank took, and said where it is */
};

/* That the ranks read them together begins with so many: what each would need is over a page. */
#define MPI_WISHES_MANY ((int)(4096 / sizeof(struct mpi_wish)) + 1)

bool mpi_wishes_many(const struct mpi_comm *c);

/* Takes the memory; false: there is not enough. Says nothing to others. Dropped in both cases. */
bool mpi_wishes_room(struct mpi_wishes *w, struct mpi_process *p, struct mpi_comm *c);

/* Gathers those of the local group, and behind them those of the remote one. Waits. 0 or
 * -B_Exxx: the meeting is broken; then the others of a cluster keep what they shared. */
int mpi_wishes_gather(struct mpi_wishes *w, const struct mpi_bootstrap *m, const struct mpi_comm *c,
                      const struct mpi_wish *mine);

void mpi_wishes_drop(struct mpi_wishes *w, struct mpi_process *p);

/* The group of n members from `first` on, all of a side, that wish this color, and what the first
 * of it gave as id. The group has a reference of its own, of `room`, a list of n, or, if the wishes
 * are read together, of what is read. */
struct mpi_group mpi_wishes_group(const struct mpi_wishes *w, struct mpi_process *p,
                                  const struct mpi_comm *c, int first, int n,
                                  struct mpi_ranks *room, int color, uint32_t *id);

/* Of member i; after those of the local group come those of the remote one. */
static inline const struct mpi_wish *mpi_wish_of(const struct mpi_wishes *w, int i)
{
    const struct mpu_position *at = w->position;
    return &w->all[at ? at[i].cluster * w->most + at[i].member : i];
}

#endif

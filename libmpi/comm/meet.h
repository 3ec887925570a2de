/* SPDX-License-Identifier: MIT */
/* Meeting of ranks that make something together. They address each other by world rank: all ranks
 * of a communicator in an operation of it (meeting.h), which notices who calls something else;
 * others on a context that nothing else uses. A rank meets once at a time, so the messages of a
 * pair match in order. All functions wait for the others. Where an int is returned: 0 or
 * -B_Exxx. */
#ifndef MPI_COMM_MEET_H
#define MPI_COMM_MEET_H

#include "core/object.h"

struct mpi_coll;

/* The group that meets. */
struct mpi_bootstrap {
    struct mpi_process *p;
    const char *call, *name; /* for the report of waiting ranks: what is called, on what */
    uint32_t context;
    int tag;
    const struct mpi_group *group; /* who meets; the caller is a member */
    struct mpi_coll *op;           /* the operation; NULL: they meet by the context and tag */
};

/* Raises an error of these functions; parent: where, if there is no operation. The class. */
int mpi_meet_raise(const struct mpi_bootstrap *m, struct mpi_comm *parent, int error);

/* Waits, as member `root`, until all have come, so that what it says next all hear, or nobody.
 * *class: the error class for which this member cannot go on, MPI_SUCCESS if it can; at the root
 * afterwards that of one of the members that cannot, if there are any. */
int mpi_meet_all(const struct mpi_bootstrap *m, int root, int *class);

/* The first n bytes at `data` go from member `root` to all. */
int mpi_meet_bcast(const struct mpi_bootstrap *m, int root, void *data, size_t n);

/* n bytes of each member, in order of members, to all. */
int mpi_meet_allgather(const struct mpi_bootstrap *m, const void *mine, size_t n, void *all);

/* n bytes to the rank `world` and as many from it. Uses of m all but the group. */
int mpi_meet_swap(const struct mpi_bootstrap *m, int world, const void *mine, void *theirs,
                  size_t n);

/* The same with different sizes. */
int mpi_meet_trade(const struct mpi_bootstrap *m, int world, const void *mine, size_t n,
                   void *theirs, size_t room);

#endif

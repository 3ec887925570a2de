/* SPDX-License-Identifier: MIT */
/* Meeting of ranks that make something together, before they share a communicator for it. They
 * address each other by world rank, on a context that nothing else uses; a rank meets once at a
 * time, so the messages of a pair match in order. All functions wait for the others. */
#ifndef MPI_INTERNAL_MEET_H
#define MPI_INTERNAL_MEET_H

#include "internal/object.h"

struct mpi_crowd {
    struct mpi_process *p;
    const char *call, *name; /* for the report of waiting ranks: what is called, on what */
    uint32_t context;
    int tag;
    const struct mpi_group *group; /* who meets; the caller is a member */
};

/* The first n bytes at `data` go from member `root` to all. 0 or -B_Exxx. */
int mpi_meet_bcast(const struct mpi_crowd *m, int root, void *data, size_t n);

/* n bytes of each member, in order of members, to all. 0 or -B_Exxx. */
int mpi_meet_allgather(const struct mpi_crowd *m, const void *mine, size_t n, void *all);

/* n bytes to the rank `world` and as many from it. Uses of m only its context and tag. */
int mpi_meet_swap(const struct mpi_crowd *m, int world, const void *mine, void *theirs, size_t n);

/* The same with different sizes. */
int mpi_meet_trade(const struct mpi_crowd *m, int world, const void *mine, size_t n, void *theirs,
                   size_t room);

#endif

/* SPDX-License-Identifier: MIT */
/* What an operation is: its checks and its algorithms.
 *
 * An algorithm is a generator of rounds: its function is called with k = 0, 1, 2, ...; each call
 * finds the messages of the round before complete, does what is to be done locally (reduce, copy)
 * and starts the messages of its own round. Nothing of a schedule is stored, so an operation costs
 * the memory of one round, and starting a persistent one again costs nothing. */
#ifndef MPI_COLL_KIND_H
#define MPI_COLL_KIND_H

#include <base/link.h>
#include <stdbool.h>

#include "coll/operation.h"

/* What an algorithm's round returns, or an error -B_Exxx: the operation ends with it. WAITS, of one
 * that is no blocking one: for something that is no message, after which the flow goes on. */
enum mpi_coll_step { MPI_COLL_DONE, MPI_COLL_MORE, MPI_COLL_WAITS };

struct mpi_segment_form;

struct mpi_coll_algorithm {
    const char *name;                          /* in traces */
    const char *counter;                       /* how often rank 0 chose it */
    bool (*applies)(const struct mpi_coll *c); /* NULL: always */
    /* Shared memory; NULL: there is none. Waits. True: the rounds follow, on this rank; they
     * release the others, to whom it is false. */
    bool (*meet)(struct mpi_coll *c);
    const struct mpi_segment_form *form; /* of mpi_segment_run, if that is `meet` (segment.h) */
    int (*round)(struct mpi_coll *c, int k);
    /* The same on all ranks: the rounds are repeated for chunks of what is so long, elements of a
     * vector that is reduced, or whatever `chunk` counts. NULL: once for all. */
    MPI_Count (*length)(const struct mpi_coll *c);
    MPI_Count (*chunk)(const struct mpi_coll *c); /* NULL: elements that take mpi_coll_share() */
};

#define MPI_COLL_NAMED(text) .name = text, .counter = "coll." text

/* Kinds by number: the same in all programs, as numbers from other ranks are compared. */
enum mpi_coll_id {
    MPI_COLL_NO_KIND,
    MPI_COLL_ALLGATHER,
    MPI_COLL_ALLGATHERV,
    MPI_COLL_ALLREDUCE,
    MPI_COLL_ALLTOALL,
    MPI_COLL_ALLTOALLV,
    MPI_COLL_ALLTOALLW,
    MPI_COLL_BARRIER,
    MPI_COLL_BCAST,
    MPI_COLL_GATHER,
    MPI_COLL_GATHERV,
    MPI_COLL_NEIGHBOR_ALLGATHER,
    MPI_COLL_NEIGHBOR_ALLGATHERV,
    MPI_COLL_NEIGHBOR_ALLTOALL,
    MPI_COLL_NEIGHBOR_ALLTOALLV,
    MPI_COLL_NEIGHBOR_ALLTOALLW,
    MPI_COLL_REDUCE,
    MPI_COLL_REDUCE_SCATTER,
    MPI_COLL_REDUCE_SCATTER_BLOCK,
    MPI_COLL_SCAN,
    MPI_COLL_EXSCAN,
    MPI_COLL_SCATTER,
    MPI_COLL_SCATTERV,
    MPI_COLL_MEETING, /* comm/meeting.h: of all ranks; of some, the others only count it */
    MPI_COLL_MEETING_OF_SOME,
};
_Static_assert(MPI_COLL_MEETING_OF_SOME + 1 == MPI_COLL_IDS, "all have a place for a choice");

/* Who has which buffer: all have both; one of them is the root's alone; all have the only one. */
enum mpi_coll_rooted { MPI_COLL_ROOTLESS, MPI_COLL_TO_ROOT, MPI_COLL_FROM_ROOT, MPI_COLL_BY_ROOT };

/* What a kind has on a side: nothing, data that is one whole, a block for each rank. */
enum mpi_coll_blocks { MPI_COLL_NO_SIDE, MPI_COLL_WHOLE, MPI_COLL_BLOCKS };

struct mpi_coll_kind {
    enum mpi_coll_id id;
    bool neighbours; /* for communicators with a topology */
    enum mpi_coll_rooted rooted;
    enum mpi_coll_blocks send, recv;
    /* mpi_coll_check_op, or NULL: it reduces nothing, and needs no operation. */
    int (*check_op)(struct mpi_coll *c, MPI_Op op, const struct mpi_type *type);
    /* In place of mpi_coll_check, for arguments of other forms: checks them and fills in send,
     * recv, op, bytes; an error class, raised. */
    int (*check)(struct mpi_coll *c, const struct mpi_coll_args *a);
    /* The first that applies is used. The last one always does, and its `applies` is NULL. An entry
     * may be NULL: the program is linked without it. No `inter`: only for intracommunicators. */
    const struct mpi_coll_algorithm *const *intra, *const *inter;
};
#define MPI_COLL_TABLE(...)                                                                        \
    (const struct mpi_coll_algorithm *const[])                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The i-th one of a table that the program is linked with; NULL: they are fewer. */
static inline const struct mpi_coll_algorithm *
mpi_coll_at(const struct mpi_coll_algorithm *const *a, int i)
{
    while (!*a || i > 0) {
        if (*a && !(*a)->applies)
            return NULL;
        i -= *a != NULL;
        a++;
    }
    return *a;
}

/* Broadcast of much data by messages (bcast_ring.c); without it a tree does that, too. */
extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_bcast_ring;

/* Reduce of few bytes by messages to the root (reduce_linear.c); without it in the segment. */
extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_reduce_linear;

#endif

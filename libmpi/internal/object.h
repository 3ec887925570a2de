/* SPDX-License-Identifier: MIT */
/* The objects behind handles. Predefined handles are small integers (mpi.h); handles that a
 * program gets are pointers to these. Everything belongs to one rank: ranks of a cluster share
 * none of it. */
#ifndef MPI_INTERNAL_OBJECT_H
#define MPI_INTERNAL_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>
#include <mpiutil/message.h>
#include <mpiutil/rank.h>

/* First field of every object; a freed one is MPI_DEAD, so that a stale handle is noticed until its
 * memory is used again. */
enum mpi_magic { MPI_DEAD = 0x64656164, MPI_IS_COMM = 0x636f6d6d, MPI_IS_GROUP = 0x67726f75 };

struct mpi_group {
    enum mpi_magic magic;
    int size;
    int rank;         /* of the calling rank, MPI_UNDEFINED if it is no member */
    const int *world; /* world rank of each member; NULL: the same numbers */
};

struct mpi_comm {
    enum mpi_magic magic;
    struct mpu_comm p2p, coll; /* the same ranks, separate contexts */
    MPI_Errhandler errhandler;
    int me[1]; /* room for a communicator of one rank */
};

enum mpi_phase { MPI_NOT_INITIALIZED, MPI_INITIALIZED, MPI_FINALIZED };

/* The MPI state of a rank, from MPI_Init on; it outlives MPI_Finalize. */
struct mpi_process {
    struct mpu_rank *rank;
    enum mpi_phase phase;
    int thread_level;
    struct mpi_comm world, self;
    struct mpi_group empty;
};

/* The calling rank's state, NULL before MPI_Init. */
struct mpi_process *mpi_process(void);

static inline enum mpi_phase mpi_phase(void)
{
    struct mpi_process *p = mpi_process();
    return p ? p->phase : MPI_NOT_INITIALIZED;
}

/* The object of a handle; NULL if the handle is null, was freed or never was one. */
struct mpi_comm *mpi_comm(struct mpi_process *p, MPI_Comm handle);
struct mpi_group *mpi_group(struct mpi_process *p, MPI_Group handle);

/* Where all memory of this room comes from: n bytes, cleared; NULL when there is none. */
void *mpi_alloc(struct mpi_process *p, size_t n);
void mpi_free(struct mpi_process *p, void *memory);

/* World rank of a member. */
static inline int mpi_group_world(const struct mpi_group *g, int rank)
{
    return g->world ? g->world[rank] : rank;
}

/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL of two groups. */
int mpi_group_relation(const struct mpi_group *a, const struct mpi_group *b);

/* The group of a communicator, a view that shares its memory. */
struct mpi_group mpi_comm_members(const struct mpi_comm *c);

/* Starts and ends MPI on the calling rank; on behalf of `call`. Both return an error class,
 * raised. */
int mpi_init(const char *call, int thread_level);
int mpi_fini(const char *call);

#endif

/* SPDX-License-Identifier: MIT */
/* The calling rank: who it is, its memory, its start and end. All functions run on the rank's
 * thread. */
#ifndef MPIUTIL_RANK_H
#define MPIUTIL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpu_rank;
struct mpu_comm;

/* The calling rank, NULL on a thread that is none (before mpu_rank_enter; mpu_thread_is_foreign).
 * Never waits. */
struct mpu_rank *mpu_self(void);

/* Its number, the size of MPI_COMM_WORLD, whose ranks have the numbers from 0 on, and how many
 * numbers there are: one more if there is a rank beside the world, which has the last. */
int mpu_rank_number(const struct mpu_rank *r);
int mpu_world_size(const struct mpu_rank *r);
int mpu_ranks(const struct mpu_rank *r);

/* Which of the job's programs it runs, and how many ranks there could be (svc_job.universe). */
int mpu_rank_program(const struct mpu_rank *r);
int mpu_universe(const struct mpu_rank *r);

/* The number of the cluster it lives in: ranks of the same cluster share memory. */
int mpu_rank_cluster(const struct mpu_rank *r);

/* One pointer for the room above; NULL at first. _self_user: of the calling rank, NULL if there is
 * none. */
struct mpu_rank_head { /* what a rank begins with */
    void *user;
};
void *mpu_self_user(void);
void mpu_rank_set_user(struct mpu_rank *r, void *user);

/* Returns value; k_thread_return (sys/k_thread.h): `return mpu_return(error);` ends a function that
 * the program calls and in which ranks wait. */
int mpu_return(int value);

/* Meets all ranks of the job, so that each can be reached afterwards. Once per rank, before it
 * sends. Waits. Errors: -B_ENOTCONN, -B_EIO: a rank here, elsewhere, ended without
 * it; -B_ENOMEM. */
int mpu_start(struct mpu_rank *r);

/* Meets all ranks once more on `all`, the communicator of them all by number, and waits until what
 * the rank sent has reached its receivers; nothing may be sent afterwards. `call` is for the report
 * of waiting ranks. */
void mpu_stop(struct mpu_rank *r, const struct mpu_comm *all, const char *call);

/* From now on the rank's program may end without mpu_stop, which then happens by itself, on
 * `all`; NULL: it may not any more. For programs that may start anew until they end. */
void mpu_let_end(struct mpu_rank *r, const struct mpu_comm *all);

/* Memory of the rank: n bytes aligned to 16, not cleared; NULL when the cluster's memory is used
 * up. mpu_free takes what mpu_alloc gave, or NULL, on the same rank; MPU_PAGES_FROM bytes or more
 * on any rank of the cluster, as they are pages of their own. */
#define MPU_PAGES_FROM 4096
void *mpu_alloc(struct mpu_rank *r, size_t n);
void mpu_free(struct mpu_rank *r, void *p);

/* The same for what the rank needs until it ends: takes no more than n bytes, 4096 at most, and
 * cannot be freed. */
void *mpu_keep(struct mpu_rank *r, size_t n);

/* The rank's memory, in use or not: every block that it ever got lies from `low` to below `high`,
 * in whole pages, where reading does no harm, so a pointer from outside can be looked at. */
struct mpu_bounds {
    uintptr_t low, high;
};
struct mpu_bounds mpu_bounds(const struct mpu_rank *r);

/* What the rank does, for the report of waiting ranks (mpiutil/stand.h). The text must stay, the
 * communicator as long as the rank does it. */
struct mpu_doing {
    const char *call;            /* "MPI_Recv", NULL: nothing */
    const struct mpu_comm *comm; /* NULL: of all ranks, and `peer` is a world rank */
    int peer, tag;               /* or MPU_ANY; peer: MPU_ALL, of a collective, all must come;
                                  * tag: MPU_ALL, its message is none that a program knows */
    uint64_t bytes;
    uint32_t context; /* if it asks, whose comm is NULL */
    bool asks;        /* mpu_asks */
};
void mpu_does(struct mpu_rank *r, const char *call, const struct mpu_comm *comm, int peer, int tag,
              uint64_t bytes);
static inline void mpu_doing(struct mpu_rank *r, const struct mpu_doing *d)
{
    mpu_does(r, d->call, d->comm, d->peer, d->tag, d->bytes);
}
void mpu_did(struct mpu_rank *r);

/* The calling rank has asked for d in vain, and may ask again and again: that is what it does until
 * it says otherwise, and no longer depends on d->comm. Then mpu_yield, and other threads
 * may run. */
void mpu_asks(struct mpu_rank *r, const struct mpu_doing *d);

#endif

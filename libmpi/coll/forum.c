/* SPDX-License-Identifier: MIT */
/* Collectives of few bytes where ranks are processes and share processors: they meet in memory that
 * all of them reach. The last one that arrives does what is to be done, and lets the others go.
 *
 *     agree -> arrive -> [the last one: inspect, combine] -> release
 *
 * Messages would have to wake a rank for each step of a tree, and each wake takes a processor from
 * somebody else; here each rank sleeps once. Only blocking operations: of these a rank has one at a
 * time, so arrivals cannot mix. The first operation on a communicator agrees on a forum: rank 0
 * takes one and tells its number. If none is free the communicator has none for ever. */
#include <base/mem.h>
#include <mpiutil/forum.h>
#include <mpiutil/machine.h>

#include "coll/coll.h"

enum { AGREE, ARRIVE, LEAVE }; /* phases */

/* mpi_comm.forum: not known yet, none, else the number + 1. */
enum { UNKNOWN = 0, NONE = -1 };

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == c->size && c->size > 1 &&
           c->bytes <= MPU_FORUM_BYTES && c->comm->forum != NONE && mpu_crowded() &&
           mpu_forum_count() > 0;
}

static const struct mpi_side *side(const struct mpi_coll *c)
{
    return c->recv.type ? &c->recv : &c->send;
}

static bool reduces(const struct mpi_coll *c)
{
    return applies(c) && c->op->handle && c->op->commutative &&
           side(c)->extent == side(c)->type->size;
}

static struct mpu_forum *forum(const struct mpi_coll *c)
{
    return mpu_forum_at(c->comm->forum - 1);
}

/* Rank 0 takes one; its number goes down the tree. */
static int agree(struct mpi_coll *c, int k)
{
    struct mpi_comm *comm = c->comm;
    if (comm->forum == UNKNOWN && c->rank == 0) {
        int number = mpu_forum_take();
        comm->forum = number >= 0 ? number + 1 : NONE;
    }
    int rc =
        mpi_coll_tree_down(c, &comm->coll, 0, k, mpi_coll_bytes(&comm->forum, sizeof comm->forum));
    if (rc != MPI_COLL_DONE || c->error)
        return rc;
    if (!forum(c)) {
        comm->forum = NONE;
        return mpi_coll_otherwise(c);
    }
    return mpi_coll_phase(c);
}

static bool released(const struct mpi_coll *c)
{
    return mpu_forum_released(forum(c), c->p->rank);
}

/* What the call is: all must say the same. */
static struct mpu_motion motion(const struct mpi_coll *c)
{
    return (struct mpu_motion){.kind = c->kind->choice,
                               .root = c->root,
                               .op = c->op ? (uintptr_t)c->op->handle : 0,
                               .bytes = c->bytes};
}

/* Who is right is not known: if ranks disagree nobody has a result. */
static bool agreed(const struct mpi_coll *c)
{
    const struct mpu_forum *f = forum(c);
    struct mpu_motion mine = motion(c);
    for (int i = 0; i < c->size; i++) {
        const struct mpu_motion *m = mpu_forum_motion(f, i);
        if (m->kind != mine.kind || m->root != mine.root || m->op != mine.op ||
            m->bytes != mine.bytes)
            return false;
    }
    return true;
}

/* The last one: `combine` makes the result. */
static void conclude(struct mpi_coll *c, void (*combine)(struct mpi_coll *c))
{
    struct mpu_forum *f = forum(c);
    struct mpu_motion outcome = *mpu_forum_motion(f, 0);
    if (!agreed(c))
        outcome.kind = MPI_CHOICE_NONE;
    else if (combine)
        combine(c);
    mpu_forum_release(f, c->p->rank, &c->comm->coll, &outcome);
}

/* The result; NULL if there is none, which is an error. */
static const void *result(struct mpi_coll *c)
{
    const struct mpu_motion *m = mpu_forum_outcome(forum(c));
    if (m->kind == (uint32_t)c->kind->choice)
        return mpu_forum_result(forum(c));
    mpi_coll_fail(c, m->bytes > c->bytes   ? MPI_ERR_TRUNCATE
                     : m->bytes < c->bytes ? MPI_ERR_COUNT
                                           : MPI_ERR_OTHER);
    return NULL;
}

/* Until the calling rank has arrived and been let go. give: writes what it gives, NULL: nothing. */
static int meet(struct mpi_coll *c, int k, void (*give)(const struct mpi_coll *c, void *place),
                void (*combine)(struct mpi_coll *c))
{
    if (c->phase == AGREE) {
        if (c->comm->forum == UNKNOWN || k > 0)
            return agree(c, k);
        mpi_coll_phase(c);
    }
    struct mpu_motion mine = motion(c);
    if (give)
        give(c, mpu_forum_place(forum(c), c->rank));
    mpi_coll_phase(c);
    if (mpu_forum_arrive(forum(c), c->p->rank, &c->comm->coll, &mine))
        conclude(c, combine);
    else
        c->ready = released;
    return MPI_COLL_MORE;
}

static int barrier(struct mpi_coll *c, int k)
{
    if (c->phase != LEAVE)
        return meet(c, k, NULL, NULL);
    result(c);
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_barrier_forum = {
    .name = "barrier-forum", .counter = "coll.barrier-forum", .applies = applies, .round = barrier};

static struct mpi_data whole(const struct mpi_coll *c)
{
    return (struct mpi_data){c->recv.buf, c->recv.count, c->recv.type};
}

static void give_root(const struct mpi_coll *c, void *place)
{
    if (c->role == MPI_ROLE_ROOT && c->bytes)
        mpi_coll_pack(whole(c), place);
}

static void pass_on(struct mpi_coll *c)
{
    memcpy(mpu_forum_result(forum(c)), mpu_forum_given(forum(c), c->root), c->bytes);
}

static int bcast(struct mpi_coll *c, int k)
{
    if (c->phase != LEAVE)
        return meet(c, k, give_root, pass_on);
    const void *bytes = result(c);
    if (bytes && c->role != MPI_ROLE_ROOT && c->bytes)
        mpi_coll_unpack(bytes, whole(c));
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_bcast_forum = {
    .name = "bcast-forum", .counter = "coll.bcast-forum", .applies = applies, .round = bcast};

static void give_contribution(const struct mpi_coll *c, void *place)
{
    if (c->bytes)
        memcpy(place, c->send.type ? c->send.buf : c->recv.buf, c->bytes);
}

/* In rank order. */
static void combine(struct mpi_coll *c)
{
    struct mpu_forum *f = forum(c);
    void *sum = mpu_forum_result(f);
    if (c->bytes)
        memcpy(sum, mpu_forum_given(f, c->size - 1), c->bytes);
    for (int i = c->size - 2; i >= 0; i--)
        mpi_op_apply(c->op, side(c)->type, mpu_forum_given(f, i), sum, side(c)->count);
}

static int reduce(struct mpi_coll *c, int k)
{
    if (c->phase != LEAVE)
        return meet(c, k, give_contribution, combine);
    const void *bytes = result(c);
    bool takes = c->kind == &mpi_coll_allreduce || c->role == MPI_ROLE_ROOT;
    if (bytes && takes && c->bytes)
        memcpy(c->recv.buf, bytes, c->bytes);
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_reduce_forum = {
    .name = "reduce-forum", .counter = "coll.reduce-forum", .applies = reduces, .round = reduce};

const struct mpi_coll_algorithm mpi_coll_allreduce_forum = {.name = "allreduce-forum",
                                                            .counter = "coll.allreduce-forum",
                                                            .applies = reduces,
                                                            .round = reduce};

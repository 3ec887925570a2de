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

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/forum.h"
#include "coll/hall.h"
#include "coll/round.h"

/* mpi_comm.forum: not known yet, none, else the number + 1; below NONE: not known yet, but this
 * rank has taken one for the next try. */
enum { UNKNOWN = 0, NONE = -1 };

static bool unknown(const struct mpi_comm *c)
{
    return c->forum == UNKNOWN || c->forum < NONE;
}

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == c->size && c->size > 1 &&
           c->bytes <= MPU_FORUM_BYTES && c->comm->forum != NONE && mpu_crowded() &&
           mpu_forum_at(0);
}

/* The number of the operation, from 1 on. */
static uint64_t turn(const struct mpi_coll *c)
{
    return (uint64_t)c->tag + 1;
}

static bool doubts(void *arg)
{
    struct mpi_coll *c = arg;
    struct mpu_forum *f = mpu_forum_at(c->comm->forum - 1);
    for (int i = 0; i < c->size && mpi_coll_would_ask(c); i++)
        if (f->seat[i].motion.number != turn(c))
            mpi_coll_ask_one(c, mpu_comm_world(&c->comm->coll, i));
    return mpi_coll_doubts(c);
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

/* Rank 0 takes one; its number goes down the tree, apart from the messages of operations: a rank
 * that has called one which needs no forum does not take the number for its data. */
static int agree(struct mpi_coll *c, int k)
{
    struct mpi_comm *comm = c->comm;
    c->element = 0; /* not that of the number */
    if (k == 0 && c->rank == 0) {
        int number = comm->forum < NONE ? NONE - 1 - comm->forum : mpu_forum_take();
        comm->forum = number >= 0 ? number + 1 : NONE;
    }
    return mpi_coll_tree_apart(c, &comm->coll, 0, k, MPI_COLL_SUBS - 1,
                               mpi_coll_bytes(&comm->forum, sizeof comm->forum));
}

/* What the rank gives, if it does. */
static struct mpi_elements given(const struct mpi_coll *c)
{
    return mpi_coll_whole(c->send.type ? &c->send : &c->recv);
}

static void give(const struct mpi_coll *c, struct mpu_forum_seat *seat)
{
    seat->motion = (struct mpu_motion){c->kind->choice, c->bytes,
                                       mpi_hall_terms(c->root, c->op, side(c)->type), turn(c)};
    if (c->bytes)
        mpi_coll_pack(given(c), seat->given);
}

/* Reduces in rank order. */
static void combine(const struct mpi_coll *c, struct mpu_forum *f)
{
    struct mpi_elements d = given(c);
    memcpy(f->result, f->seat[c->size - 1].given, c->bytes);
    for (int i = c->size - 2; i >= 0; i--)
        mpi_op_apply(c->op, d.type, f->seat[i].given, f->result, d.count);
}

/* The last one. All must have called the same; else who is right is not known, and nobody has a
 * result, but each can tell its bytes from those of another one. */
static void conclude(const struct mpi_coll *c, struct mpu_forum *f)
{
    const struct mpu_motion *first = &f->seat[0].motion;
    f->outcome = *first;
    for (int i = 1; i < c->size; i++) {
        const struct mpu_motion *m = &f->seat[i].motion;
        if (memcmp(m, first, sizeof *m) != 0)
            f->outcome = (struct mpu_motion){
                .bytes = first->bytes, .terms = m->bytes, .number = first->number};
    }
    if (f->outcome.kind && c->bytes)
        combine(c, f);
    mpu_forum_release(f, c->p->rank, &c->comm->coll);
}

static void differs(struct mpi_coll *c, const struct mpu_motion *m)
{
    mpi_coll_fail(c, mpi_hall_differs(&(struct mpu_said){.bytes = c->bytes},
                                      &(struct mpu_told){NULL, m->bytes, m->terms, 0}));
    if (m->number != turn(c))
        mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
}

static void take(struct mpi_coll *c, const struct mpu_forum *f)
{
    const struct mpu_motion *m = &f->outcome;
    bool takes = c->bytes && (c->kind->choice == MPI_CHOICE_ALLREDUCE || c->role == MPI_ROLE_ROOT);
    if (!m->kind)
        differs(c, m);
    if (m->kind && takes)
        mpi_coll_unpack(f->result, mpi_coll_whole(&c->recv));
}

/* Who has taken a forum in vain keeps it for the next time. */
static void forget(struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    comm->forum = c->rank == 0 && comm->forum > 0 ? NONE - comm->forum : UNKNOWN;
}

static bool meet(struct mpi_coll *c)
{
    bool first = unknown(c->comm);
    enum mpu_forum_end end = MPU_FORUM_LEFT;
    if (first)
        mpi_coll_rounds(c);
    struct mpu_forum *f = c->error ? NULL : mpu_forum_at(c->comm->forum - 1);
    if (!f && !c->error) {
        c->comm->forum = NONE;
        return mpi_coll_otherwise(c);
    }
    if (f && !doubts(c)) {
        give(c, &f->seat[c->rank]);
        end = mpu_forum_arrive(f, c->p->rank, &c->comm->coll, doubts, c);
    }
    if (end == MPU_FORUM_LAST)
        conclude(c, f);
    if (end != MPU_FORUM_LEFT)
        take(c, f);
    else if (first)
        forget(c);
    return false;
}

const struct mpi_coll_algorithm mpi_coll_barrier_forum = {.name = "barrier-forum",
                                                          .counter = "coll.barrier-forum",
                                                          .applies = applies,
                                                          .meet = meet,
                                                          .round = agree};

const struct mpi_coll_algorithm mpi_coll_reduce_forum = {.name = "reduce-forum",
                                                         .counter = "coll.reduce-forum",
                                                         .applies = reduces,
                                                         .meet = meet,
                                                         .round = agree};

const struct mpi_coll_algorithm mpi_coll_allreduce_forum = {.name = "allreduce-forum",
                                                            .counter = "coll.allreduce-forum",
                                                            .applies = reduces,
                                                            .meet = meet,
                                                            .round = agree};

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

/* mpi_comm.forum: not known yet, none, else the number + 1. */
enum { UNKNOWN = 0, NONE = -1 };

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == c->size && c->size > 1 &&
           c->bytes <= MPU_FORUM_BYTES && c->comm->forum != NONE && mpu_crowded() &&
           mpu_forum_at(0);
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

/* Rank 0 takes one; its number goes down the tree. */
static int agree(struct mpi_coll *c, int k)
{
    struct mpi_comm *comm = c->comm;
    if (k == 0 && c->rank == 0) {
        int number = mpu_forum_take();
        comm->forum = number >= 0 ? number + 1 : NONE;
    }
    return mpi_coll_tree_down(c, &comm->coll, 0, k,
                              mpi_coll_bytes(&comm->forum, sizeof comm->forum));
}

/* What the rank gives, if it does. */
static struct mpi_data given(const struct mpi_coll *c)
{
    const struct mpi_side *s = c->op && c->send.type ? &c->send : &c->recv;
    return (struct mpi_data){s->buf, s->count, s->type};
}

static void give(const struct mpi_coll *c, struct mpu_forum_seat *seat)
{
    seat->motion = (struct mpu_motion){c->kind->choice, c->bytes, mpi_hall_terms(c->root, c->op)};
    if (c->bytes && (c->op || c->role == MPI_ROLE_ROOT))
        mpi_coll_pack(given(c), seat->given);
}

/* Reduces in rank order, or passes on what the root gave. */
static void combine(const struct mpi_coll *c, struct mpu_forum *f)
{
    struct mpi_data d = given(c);
    memcpy(f->result, f->seat[c->op ? c->size - 1 : c->root].given, c->bytes);
    for (int i = c->op ? c->size - 2 : -1; i >= 0; i--)
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
            f->outcome = (struct mpu_motion){.bytes = first->bytes, .terms = m->bytes};
    }
    if (f->outcome.kind && c->bytes)
        combine(c, f);
    mpu_forum_release(f, c->p->rank, &c->comm->coll);
}

static void take(struct mpi_coll *c, const struct mpu_forum *f)
{
    const struct mpu_motion *m = &f->outcome;
    if (!m->kind)
        mpi_coll_fail(c, mpi_hall_differs(&(struct mpu_said){.bytes = c->bytes},
                                          &(struct mpu_said){NULL, m->bytes, m->terms}));
    else if (c->bytes && (c->kind->choice == MPI_CHOICE_ALLREDUCE ||
                          (c->role == MPI_ROLE_ROOT) == (c->op != NULL)))
        mpi_coll_unpack(f->result, (struct mpi_data){c->recv.buf, c->recv.count, c->recv.type});
}

static bool meet(struct mpi_coll *c)
{
    if (c->comm->forum == UNKNOWN)
        mpi_coll_rounds(c);
    struct mpu_forum *f = mpu_forum_at(c->comm->forum - 1);
    if (!f) {
        c->comm->forum = NONE;
        return mpi_coll_otherwise(c);
    }
    if (c->error)
        return false;
    give(c, &f->seat[c->rank]);
    if (mpu_forum_arrive(f, c->p->rank, &c->comm->coll))
        conclude(c, f);
    take(c, f);
    return false;
}

const struct mpi_coll_algorithm mpi_coll_barrier_forum = {.name = "barrier-forum",
                                                          .counter = "coll.barrier-forum",
                                                          .applies = applies,
                                                          .meet = meet,
                                                          .round = agree};

const struct mpi_coll_algorithm mpi_coll_bcast_forum = {.name = "bcast-forum",
                                                        .counter = "coll.bcast-forum",
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

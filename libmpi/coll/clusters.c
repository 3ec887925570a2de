/* SPDX-License-Identifier: MIT */
/* Reductions for all of more than a segment has room for, where several ranks share a cluster and
 * clusters share no memory. Each rank reduces its part of the vector, of what all of its cluster
 * show, in the leader's buffer. The leaders reduce these by messages, chunk by chunk. The others of
 * the cluster read the result there; it stays until they have.
 *
 *     show, arrive -> release -> part -> arrive -> [leaders: tree] -> release -> read */
#include "coll/agree.h"
#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"

#define RANKS 3 /* with fewer in a cluster, on average, all exchange parts of it as fast */

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && !c->comm->shared && c->comm->clusters > 1 &&
           c->size >= RANKS * c->comm->clusters && c->op->commutative && mpi_coll_is_plain(c);
}

static void reduce_part(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    const struct mpi_side *own = mpi_coll_operand(c);
    int member = s->position[c->rank].member;
    MPI_Count from = own->count * member / s->members;
    MPI_Count n = own->count * (member + 1) / s->members - from;
    if (!mpu_segment_alone(s))
        mpi_peer_reduce(c, 0, from, n, mpi_segment_shown(c, 0)->recv.buf + from * own->extent);
}

static bool leads(const struct mpi_coll *c)
{
    return c->segment.at->position[c->rank].member == 0;
}

/* The ranks of the cluster meet, and no others: each knows then what the others show. False: they
 * do not agree, or this one has left. */
static bool meet_cluster(struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    struct mpu_visit *v = mpi_segment_visit(c, mpi_coll_cancelled);
    enum mpu_met met = v->left ? MPU_LEFT : mpu_segment_arrive(s, c->p->rank, v);
    bool closes = met == MPU_CLOSES;
    const struct mpu_outcome *o = closes ? &c->segment.outcome : &s->outcome;
    if (met == MPU_LEFT || (closes && !mpu_segment_alike(s, v, &c->segment.outcome)))
        mpi_segment_break(c, o);
    if (closes)
        mpi_segment_release(c);
    if (met == MPU_RELEASED && !o->agreed)
        mpi_segment_take(c, c->algorithm->form, o);
    return met != MPU_LEFT && o->agreed;
}

/* All have reduced their parts. Nobody leaves before, and goes on to show something else, while
 * another one may still read what it showed: who is told to end the operation waits for the leader,
 * who is told, too. */
static bool meet_again(struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    c->segment.visit.cancelled = NULL;
    if (mpu_segment_arrive(s, c->p->rank, &c->segment.visit) != MPU_CLOSES) {
        mpi_segment_take(c, c->algorithm->form, &s->outcome);
        return false;
    }
    c->segment.outcome = (struct mpu_outcome){.agreed = true};
    c->agreement.closes = true;
    if (c->broken)
        mpi_segment_finish(c);
    return !c->broken;
}

static bool meet(struct mpi_coll *c)
{
    if (!mpi_segment_join(c))
        return false;
    mpi_segment_show(c);
    if (!meet_cluster(c))
        return false;
    reduce_part(c);
    return meet_again(c);
}

static void take(struct mpi_coll *c)
{
    if (leads(c))
        return;
    mpu_copy(c->recv.buf, mpi_segment_shown(c, 0)->recv.buf, mpi_coll_span(c));
    mpu_segment_taken(c->segment.at);
}

/* The leaders', of a chunk of the vector: up the tree and down again. */
static int exchange(struct mpi_coll *c, int k)
{
    if (c->step.phase == 0 && k == 0) {
        struct mpi_elements own = mpi_coll_whole(mpi_coll_operand(c));
        if (!mpu_segment_alone(c->segment.at))
            own.buf = c->recv.buf;
        mpi_coll_vectors(c, own, c->recv.buf);
    }
    if (c->step.phase == 0) {
        int rc = mpi_coll_reduce_tree(c, &c->segment.leaders, 0, k);
        if (rc == MPI_COLL_DONE && c->segment.leaders.rank == 0)
            mpi_coll_home(c);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    const struct mpi_elements sum = mpi_coll_shape(c, c->vector.home);
    return mpi_coll_tree_down(c, &c->segment.leaders, 0, k, &sum);
}

static bool all_have_read(void *segment)
{
    return mpu_segment_all_taken(segment);
}

/* After the last chunk, when its messages are complete, the others of the cluster may read. The
 * leader waits for them inside of its last round, in which nothing breaks the operation off. */
static int leaders(struct mpi_coll *c, int k)
{
    if (c->step.phase < 2) {
        int rc = exchange(c, k);
        bool last = c->algorithm->length(c) - c->chunk.at <= c->chunk.n;
        return rc == MPI_COLL_DONE && last ? mpi_coll_phase(c) : rc;
    }
    mpi_segment_finish(c);
    if (c->segment.outcome.agreed && !mpu_segment_alone(c->segment.at))
        mpu_until(c->p->rank, all_have_read, c->segment.at);
    return MPI_COLL_DONE;
}

static const struct mpi_segment_form form = {.take = take};

const struct mpi_coll_algorithm mpi_coll_allreduce_clusters = {MPI_COLL_NAMED("allreduce-clusters"),
                                                               .applies = applies,
                                                               .meet = meet,
                                                               .form = &form,
                                                               .round = leaders,
                                                               .length = mpi_coll_count};

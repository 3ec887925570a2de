/* SPDX-License-Identifier: MIT */
/* Collectives of few bytes in shared memory: the ranks of a cluster meet in its segment. If all
 * live there, the last one to come reads what they gave and leaves the result; else the leader
 * does, and meets the leaders of other clusters in between: in memory that all share, or by
 * messages.
 *
 *     arrive -> [last one: combine] -> release
 *     arrive -> [leader: combine] -> [leaders: arrive, the last one combines, release] -> release
 *     arrive -> [leader: combine] -> [leaders: tree] -> release
 *
 * Only blocking operations: of these a rank has one at a time, so arrivals cannot mix. */
#include <base/assert.h>
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/kind.h"
#include "coll/segment.h"

bool mpi_segment_join(struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    struct mpu_segment *s = comm->segment;
    if (!s)
        s = comm->segment = mpu_segment_join(c->p->rank, &comm->coll);
    if (!s) {
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
        return false;
    }
    if (s->clusters > 1)
        c->segment.leaders = (struct mpu_comm){.context = comm->coll.context,
                                               .rank = s->cluster,
                                               .size = s->clusters,
                                               .world = s->leaders,
                                               .name = comm->coll.name};
    return true;
}

/* Root, predefined operation (a program's own has another address on each rank), and the elements
 * that it reduces. */
static uint64_t terms(const struct mpi_coll *c)
{
    uint64_t what = (uint64_t)(uint32_t)c->root;
    if (c->op)
        what |= (uint64_t)c->op->handle << 32 | (uint64_t)mpi_segment_side(c)->type->mark << 48;
    return what;
}

/* Alone: nobody else is at this operation, or will be. */
static void end_alone(struct mpi_coll *c)
{
    mpi_coll_fail(c, MPI_ERR_OTHER);
    mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
}

/* Somebody said something else than this rank. */
static void differs(struct mpi_coll *c, const struct mpu_outcome *o)
{
    const struct mpu_signature *mine = &c->segment.visit.said;
    const struct mpu_signature *other = mpu_same_signature(&o->first, mine) ? &o->odd : &o->first;
    bool amount = other->operation == mine->operation && other->bytes != mine->bytes;
    mpi_coll_fail(c, !amount                      ? MPI_ERR_OTHER
                     : other->bytes > mine->bytes ? MPI_ERR_TRUNCATE
                                                  : MPI_ERR_COUNT);
    if (mpu_same_signature(other, mine)) /* the leader failed otherwise */
        return;
    c->agreement.verdict = MPI_COLL_DIFFERS;
    c->agreement.offender = other->rank;
}

/* Whether the leaders of several clusters meet in between. */
static bool several(const struct mpi_coll *c)
{
    return mpi_coll_segment(c)->clusters > 1;
}

bool mpi_segment_meet(struct mpi_coll *c, bool may_leave)
{
    struct mpu_visit *v = &c->segment.visit;
    v->said = (struct mpu_signature){(uint32_t)c->kind->id, mpi_coll_number_of(c), c->bytes,
                                     terms(c), c->rank};
    v->cancelled = may_leave ? mpi_coll_cancelled : NULL;
    v->arg = c;
    v->left = may_leave && mpi_coll_cancelled(c);
    bool closes = !v->left && mpu_segment_arrive(mpi_coll_segment(c), c->p->rank, v) == MPU_CLOSES;
    if (v->left) {
        end_alone(c);
        return false;
    }
    if (closes && !mpu_segment_alike(mpi_coll_segment(c), c->p->rank, &c->segment.outcome)) {
        differs(c, &c->segment.outcome);
        if (several(c))
            mpi_coll_break(c, c->agreement.verdict, c->agreement.offender);
    }
    return closes;
}

/* An error of the leader is one of all; one that the closing rank made is its own. */
void mpi_segment_release(struct mpi_coll *c)
{
    c->agreement.holds = false;
    if (c->error && several(c))
        c->segment.outcome.agreed = false;
    mpu_segment_release(mpi_coll_segment(c), c->p->rank, &c->segment.outcome);
}

/* Who is right is not known: if the ranks disagree nobody has a result. */
bool mpi_segment_agreed(struct mpi_coll *c)
{
    const struct mpu_outcome *o = &mpi_coll_segment(c)->outcome;
    const struct mpu_signature *said = &c->segment.visit.said;
    if (o->agreed && o->first.operation == said->operation && o->first.bytes == said->bytes)
        return true;
    differs(c, o);
    if (o->first.number != said->number)
        mpi_coll_break(c, c->agreement.verdict, c->agreement.offender);
    return false;
}

/* Leaders ------------------------------------------------------------------------------------- */

/* Who has waited for long asks those that have not come. */
static bool leader_cancelled(void *arg)
{
    struct mpi_coll *c = arg;
    int i = 0, leader = 0;
    while (leader >= 0 && mpi_coll_stalled(c)) {
        leader = mpu_leaders_missing(mpi_coll_segment(c), mpi_coll_number_of(c), &i);
        if (leader >= 0)
            c->p->checker->hooks->query(c, leader);
    }
    return mpi_coll_cancelled(c);
}

/* The last leader. All must have said the same; else nobody has a result, but each can tell its
 * bytes from those of another one. */
static void close_leaders(struct mpi_coll *c, const struct mpi_segment_form *f)
{
    struct mpu_outcome o;
    if (mpu_leaders_alike(mpi_coll_segment(c), &o) && f->combine)
        f->combine(c);
    mpu_leaders_release(mpi_coll_segment(c), c->p->rank, &o);
}

static void meet_leaders(struct mpi_coll *c, const struct mpi_segment_form *f)
{
    struct mpu_segment *s = mpi_coll_segment(c);
    b_assert(s->shared && mpi_coll_number_of(c) == c->segment.visit.said.number);
    struct mpu_visit v = {.said = c->segment.visit.said, .cancelled = leader_cancelled, .arg = c};
    if (c->comm->broken)
        mpu_leaders_clear(s, c->p->rank, v.said.number);
    c->comm->broken = false;
    uint8_t *to = mpu_leaders_begin(s);
    if (f->give)
        f->give(c, to);
    enum mpu_met met = mpu_leaders_arrive(s, c->p->rank, &v);
    if (met == MPU_LEFT) {
        end_alone(c);
        return;
    }
    if (met == MPU_CLOSES)
        close_leaders(c, f);
    c->segment.outcome = *mpu_leaders_outcome(s);
    if (!c->segment.outcome.agreed)
        differs(c, &c->segment.outcome);
    else if (f->bring)
        f->bring(c);
}

bool mpi_segment_end(struct mpi_coll *c, bool closes, const struct mpi_segment_form *f)
{
    if (c->segment.visit.left)
        return false;
    c->agreement.holds = closes;
    if (closes && several(c) && !c->broken) {
        if (f->by_messages || !mpi_coll_segment(c)->shared)
            return true;
        meet_leaders(c, f);
    }
    if (c->agreement.holds)
        mpi_segment_release(c);
    f->take(c);
    if (closes && several(c))
        mpu_leaders_wake(mpi_coll_segment(c), c->p->rank);
    return false;
}

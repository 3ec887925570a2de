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

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/segment.h"

bool mpi_segment_join(struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    struct mpu_segment *s = comm->segment;
    if (!s)
        s = comm->segment = mpu_segment_join(c->p->rank, &comm->coll);
    if (!s) {
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
        mpi_coll_break(c, MPI_COLL_OWN, c->rank);
        return false;
    }
    c->segment.at = s;
    if (!s->shared)
        c->segment.leaders = (struct mpu_comm){.context = comm->coll.context,
                                               .rank = s->cluster,
                                               .size = s->clusters,
                                               .world = s->leaders,
                                               .name = comm->coll.name};
    return true;
}

/* Predefined operation (a program's own has another address on each rank), and the elements that it
 * reduces. */
static uint32_t reduction(const struct mpi_coll *c)
{
    return c->op ? (uint32_t)c->op->handle | (uint32_t)mpi_coll_operand(c)->type->mark << 16 : 0;
}

/* Alone: nobody else is at this operation, or will be. */
static void end_alone(struct mpi_coll *c)
{
    mpi_coll_fail(c, MPI_ERR_OTHER);
    mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
}

/* Somebody has another signature than this rank, or the leader has failed. All ranks are told of
 * the former if `tell`, as some may not hear of it at this meeting, and always if one is at another
 * call. */
static __attribute__((cold)) void differs(struct mpi_coll *c, const struct mpu_outcome *o,
                                          bool tell)
{
    const struct mpu_signature *mine = &c->segment.visit.signature;
    const struct mpu_signature *other = mpu_same_signature(&o->first, mine) ? &o->odd : &o->first;
    bool later = other->number != mine->number;
    bool amount = !later && other->operation == mine->operation && other->bytes != mine->bytes;
    if (o->why) {
        mpi_coll_fail(c, o->why);
        return;
    }
    if (later) { /* it may have told, before it went on, what it called in place of this one */
        mpu_poll(c->p->rank);
        if (mpi_coll_cancelled(c))
            return;
    }
    mpi_coll_fail(c, !amount                      ? MPI_ERR_OTHER
                     : other->bytes > mine->bytes ? MPI_ERR_TRUNCATE
                                                  : MPI_ERR_COUNT);
    c->agreement.verdict = MPI_COLL_DIFFERS;
    c->agreement.offender = other->rank;
    if (tell || o->first.number != mine->number)
        mpi_coll_break(c, c->agreement.verdict, c->agreement.offender);
}

/* Whether the leaders of several clusters meet in between. */
static bool several(const struct mpi_coll *c)
{
    return c->segment.at->clusters > 1;
}

struct mpu_visit *mpi_segment_visit(struct mpi_coll *c, bool (*cancelled)(void *coll))
{
    struct mpu_visit *v = &c->segment.visit;
    v->signature = (struct mpu_signature){(uint32_t)c->kind->id,
                                          c->blocking ? mpi_segment_number(c) : c->place.number,
                                          c->bytes,
                                          (uint32_t)c->root + c->amounts, /* one of them is 0 */
                                          reduction(c),
                                          c->rank,
                                          c->busy};
    v->cancelled = c->blocking ? cancelled : NULL;
    v->arg = c;
    mpi_coll_look(c); /* unless it did when it began */
    v->left = (c->broken || mpi_coll_alarmed(c)) && cancelled(c);
    return v;
}

void mpi_segment_break(struct mpi_coll *c, const struct mpu_outcome *o)
{
    if (c->segment.visit.left)
        end_alone(c);
    else
        differs(c, o, true);
}

/* Who is right is not known: if the ranks disagree nobody has a result. If one has no room for it
 * all know, and take nothing. */
void mpi_segment_take(struct mpi_coll *c, const struct mpi_segment_form *f,
                      const struct mpu_outcome *o)
{
    if (o->agreed) {
        c->busy = o->busy;
        if (!o->busy && f->take)
            f->take(c);
        return;
    }
    c->busy = false;
    differs(c, o, false);
}

void mpi_segment_show(struct mpi_coll *c)
{
    mpu_segment_show(c->segment.at, c->p->rank, c);
}

void mpi_segment_again(struct mpi_coll *c)
{
    mpu_segment_meet(c->segment.at, c->p->rank, &c->segment.visit);
}

/* An error of the leader is one of all; one that the closing rank made is its own. */
void mpi_segment_release(struct mpi_coll *c)
{
    c->agreement.closes = false;
    struct mpu_outcome *o = &c->segment.outcome;
    if (several(c) && c->error && o->agreed) {
        o->agreed = false;
        o->why = (uint8_t)c->error;
    }
    mpu_segment_release(c->segment.at, c->p->rank, o);
}

/* Leaders ------------------------------------------------------------------------------------- */

/* Who has waited for long asks those that have not come. */
static bool leader_cancelled(void *arg)
{
    struct mpi_coll *c = arg;
    if (mpi_coll_stalled(c))
        c->p->checker->hooks->query_leaders(c);
    return mpi_coll_cancelled(c);
}

/* All signatures must be the same; else nobody has a result, but each can tell its bytes from those
 * of another one. */
void mpi_segment_met(struct mpi_coll *c, const struct mpi_segment_form *f, bool closes)
{
    struct mpu_segment *s = c->segment.at;
    struct mpu_outcome *o = &c->segment.outcome;
    if (!closes)
        *o = *mpu_leaders_outcome(s);
    else if (mpu_leaders_alike(s, &c->segment.visit, o) && f->combine)
        f->combine(c);
    if (closes)
        mpu_leaders_release(s, c->p->rank, o);
    if (o->agreed && f->bring)
        f->bring(c);
}

static void meet_leaders(struct mpi_coll *c, const struct mpi_segment_form *f)
{
    struct mpu_segment *s = c->segment.at;
    b_assert(s->shared);
    struct mpu_visit *v = &c->segment.visit;
    v->cancelled = leader_cancelled;
    if (c->comm->broken)
        mpu_leaders_clear(s, c->p->rank, v->signature.number);
    c->comm->broken = false;
    mpi_segment_gives(c, f, v);
    uint8_t *to = mpu_leaders_begin(s, c->p->rank, v);
    if (to && f->give)
        f->give(c, to);
    enum mpu_met met = to ? mpu_leaders_arrive(s, c->p->rank, v) : MPU_LEFT;
    if (met == MPU_LEFT)
        end_alone(c);
    else
        mpi_segment_met(c, f, met == MPU_CLOSES);
}

void mpi_segment_finish(struct mpi_coll *c)
{
    if (c->agreement.closes)
        mpi_segment_release(c);
    mpi_segment_take(c, c->algorithm->form, &c->segment.outcome);
}

/* All of the cluster are here, and wait for this rank. True: the leaders go on by messages. */
static __attribute__((noinline)) bool close_meeting(struct mpi_coll *c)
{
    const struct mpi_segment_form *f = c->algorithm->form;
    struct mpu_segment *s = c->segment.at;
    struct mpu_visit *v = &c->segment.visit;
    if (!mpu_segment_alike(s, v, &c->segment.outcome))
        differs(c, &c->segment.outcome, several(c));
    if (f->close && !mpu_segment_alone(s))
        f->close(c);
    bool leads = several(c);
    if (!leads && f->close_all && !c->error)
        f->close_all(c);
    c->agreement.closes = true;
    if (leads && !c->broken && !s->shared)
        return true;
    if (leads && !c->broken)
        meet_leaders(c, f);
    mpi_segment_finish(c);
    if (leads)
        mpu_leaders_wake(s, c->p->rank);
    return false;
}

bool mpi_segment_run(struct mpi_coll *c)
{
    const struct mpi_segment_form *f = c->algorithm->form;
    if (!mpi_segment_join(c))
        return false;
    if (f->fits && !f->fits(c))
        return f->otherwise(c);
    if (f->leave)
        f->leave(c);
    struct mpu_segment *s = c->segment.at;
    struct mpu_visit *v = mpi_segment_visit(c, mpi_coll_cancelled);
    enum mpu_met met = v->left ? MPU_LEFT : mpu_segment_arrive(s, c->p->rank, v);
    bool rounds = met == MPU_CLOSES && close_meeting(c);
    if (met == MPU_LEFT)
        end_alone(c);
    else if (met == MPU_RELEASED)
        mpi_segment_take(c, f, &s->outcome);
    return rounds;
}

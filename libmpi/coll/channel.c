/* SPDX-License-Identifier: MIT */
/* An operation and its channel, which it has for itself until it has ended:
 *
 *     [wait for the one before it there] -> give, arrive -> wait for the others -> take
 *
 * Which channel it has follows from its number, which all ranks give it alike; of persistent ones,
 * which may be started in any order, each of the first ones has one of its own, and the others, as
 * all where there are no channels, are done by messages. Where an operation did not end well a rank
 * may be at a later one in its channel than another: then nobody has met. */
#include <base/assert.h>
#include <base/mem.h>
#include <mpiutil/channel.h>

#include "coll/agree.h"
#include "coll/channel.h"
#include "coll/engine.h"
#include "comm/comm.h"

enum { NONBLOCKING = MPU_CHANNELS / 2 };

/* Where an operation is (step.phase). */
enum { COMES, ARRIVED };

struct mpi_channel {
    struct mpu_channel *at;
    struct mpi_queue queue;
    uint32_t starts; /* so far, of the persistent one that has it */
};

struct mpi_channels {
    struct mpu_channels *all;
    struct mpi_channel channel[MPU_CHANNELS];
    struct mpi_casts casts;
};

/* Only the first of the persistent ones. */
static bool has_channel(const struct mpi_coll *c)
{
    return c->place.persistent <= MPU_CHANNELS - NONBLOCKING;
}

static struct mpi_channel *channel_of(const struct mpi_coll *c)
{
    int i = c->place.persistent;
    b_assert(has_channel(c));
    i = i ? NONBLOCKING + i - 1 : (int)(mpi_coll_number_of(c) % NONBLOCKING);
    return &c->comm->channels->channel[i];
}

/* NULL: no memory. */
static struct mpi_channels *make(struct mpi_process *p, const struct mpi_comm *comm)
{
    struct mpi_channels *made = mpi_alloc(p, sizeof *made);
    if (!made)
        return NULL;
    memset(made, 0, sizeof *made);
    made->all = mpu_channels_make(p->rank, comm->segment);
    if (!made->all) {
        mpi_free(p, made);
        return NULL;
    }
    for (int i = 0; i < MPU_CHANNELS; i++)
        made->channel[i].at = mpu_channel_of(made->all, i);
    made->casts.at = mpu_channels_caster(made->all);
    return made;
}

/* Which of the communicator's nonblocking ones it is: its number, which begins again after so many,
 * as one that does not. */
static uint32_t count_of(const struct mpi_coll *c)
{
    uint32_t last = c->comm->collectives[1] - 1;
    return last - (last - mpi_coll_number_of(c)) % MPI_COLL_NUMBERS;
}

/* In the first step, of one that has a place there, or has none. NULL: the step ends so. */
static struct mpi_channels *join(struct mpi_coll *c, bool has_place, int *step)
{
    struct mpi_comm *comm = c->comm;
    *step = MPI_COLL_DONE;
    if (!mpi_segment_join(c))
        return NULL;
    if (!has_place || (!comm->channels && !mpu_channel_has_place(comm->segment))) {
        mpu_flow_matters(c->p->rank);
        mpi_coll_otherwise(c);
        *step = MPI_COLL_MORE;
        return NULL;
    }
    if (comm->channels)
        return comm->channels;
    if ((comm->channels = make(c->p, comm))) {
        mpu_caster_come(comm->channels->casts.at, c->rank, count_of(c));
    } else {
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
        mpi_coll_break(c, MPI_COLL_OWN, c->rank);
    }
    return comm->channels;
}

bool mpi_queue_enter(struct mpi_queue *q, struct mpi_coll *c)
{
    c->place.queue = q;
    c->place.next = NULL;
    if (q->first)
        q->last->place.next = c;
    else
        q->first = c;
    q->last = c;
    if (q->first == c)
        return true;
    c->place.held = mpu_flow_hold(c->p->rank);
    mpu_flow_matters(c->p->rank);
    return false;
}

static void go_on(struct mpi_coll *c)
{
    struct mpu_flow *f = c->place.held;
    c->place.held = NULL;
    if (f)
        mpu_flow_done(f);
}

void mpi_queue_leave(struct mpi_coll *c)
{
    struct mpi_queue *q = c->place.queue;
    struct mpi_coll **at = &q->first, *before = NULL;
    while (*at != c) {
        before = *at;
        at = &before->place.next;
    }
    *at = c->place.next;
    if (q->last == c)
        q->last = before;
    c->place.queue = NULL;
    if (!before && q->first)
        go_on(q->first);
}

/* Whether one of those that came is behind, at an operation that is over. */
static bool is_later(const struct mpi_coll *c)
{
    const struct mpu_outcome *o = &c->segment.outcome;
    uint32_t own = c->place.number;
    uint32_t other = o->first.number != own ? o->first.number : o->odd.number;
    return (int32_t)(own - other) > 0;
}

static int arrive(struct mpi_coll *c);

/* They have met. */
static int finish(struct mpi_coll *c, bool closes)
{
    const struct mpi_segment_form *f = c->algorithm->form;
    const struct mpu_outcome *o = &c->segment.outcome;
    mpi_segment_met(c, f, closes);
    if (!o->agreed && is_later(c))
        return arrive(c);
    mpi_segment_take(c, f, o);
    if (c->place.queue)
        mpi_queue_leave(c);
    return MPI_COLL_DONE;
}

static int arrive(struct mpi_coll *c)
{
    const struct mpi_segment_form *f = c->algorithm->form;
    struct mpu_channel *ch = channel_of(c)->at;
    c->segment.at = mpu_channel_segment(ch);
    struct mpu_visit *v = mpi_segment_visit(c, mpi_coll_cancelled);
    if (v->left)
        return MPI_COLL_DONE;
    mpi_segment_gives(c, f, v);
    uint8_t *to = mpu_channel_begin(ch, v);
    if (f->leave)
        f->leave(c);
    if (f->give)
        f->give(c, to);
    if (mpu_channel_arrive(ch, v))
        return finish(c, true);
    c->step.phase = ARRIVED;
    if (c->place.next)
        mpu_channel_hurry(ch);
    return MPI_COLL_WAITS;
}

/* The first time. */
static int come(struct mpi_coll *c)
{
    int step;
    if (!join(c, has_channel(c), &step))
        return step;
    struct mpi_channel *ch = channel_of(c);
    c->place.number = c->place.persistent ? ch->starts++ : count_of(c);
    if (mpi_queue_enter(&ch->queue, c))
        return arrive(c);
    mpu_channel_hurry(ch->at);
    return MPI_COLL_WAITS;
}

struct mpi_casts *mpi_casts_join(struct mpi_coll *c, int *step)
{
    struct mpi_channels *all = join(c, !c->place.persistent, step);
    if (!all)
        return NULL;
    c->place.number = count_of(c);
    return &all->casts;
}

static int steps(struct mpi_coll *c, int k)
{
    if (k == 0)
        return come(c);
    if (c->step.phase == COMES)
        return arrive(c);
    return finish(c, mpu_channel_came(channel_of(c)->at));
}

void mpi_channel_broken(struct mpi_coll *c)
{
    struct mpi_queue *q = c->place.queue;
    if (!q)
        return;
    struct mpi_casts *casts = &c->comm->channels->casts;
    if (q == &casts->queue && q->first == c)
        mpu_caster_leave(casts->at);
    else if (q->first == c)
        mpu_channel_leave(channel_of(c)->at);
    mpi_queue_leave(c);
    go_on(c);
}

void mpi_channels_free(struct mpi_process *p, struct mpi_comm *comm)
{
    for (int i = 0; i < MPU_CHANNELS; i++)
        b_assert(!comm->channels->channel[i].queue.first);
    b_assert(!comm->channels->casts.queue.first);
    mpu_channels_free(comm->channels->all);
    mpi_free(p, comm->channels);
}

bool mpi_channels_may_do(const struct mpi_coll *c)
{
    return !c->blocking && !c->p->checker && c->comm->shared &&
           mpu_channels_may_be(c->p->rank, c->comm->clusters);
}

#define ALWAYS(c) true

/* ... and `may` go by the form of the blocking one. */
#define CHANNEL(id, may)                                                                           \
    static bool id##_applies(const struct mpi_coll *c)                                             \
    {                                                                                              \
        return mpi_channels_may_do(c) && may(c);                                                   \
    }                                                                                              \
    const struct mpi_coll_algorithm mpi_coll_##id##_channel = {                                    \
        MPI_COLL_NAMED(#id "-channel"), .applies = id##_applies, .form = &mpi_segment_##id##_form, \
        .round = steps}

CHANNEL(barrier, ALWAYS);
CHANNEL(allreduce, mpi_segment_reduces);
CHANNEL(reduce_scatter, mpi_segment_reduces);
CHANNEL(allgather, mpi_segment_gathers_all);
CHANNEL(alltoall, mpi_segment_exchanges);
CHANNEL(scan, mpi_segment_scans);
CHANNEL(exscan, mpi_segment_scans);

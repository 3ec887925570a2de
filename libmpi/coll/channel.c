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

enum { NONBLOCKING = MPU_CHANNELS / 2, NONE = -1 };

/* Where an operation is (step.phase). */
enum { COMES, ARRIVED };

struct mpi_channel {
    struct mpu_channel *at;
    struct mpi_coll *first, *last; /* the operation that has it, and those that wait for it */
    uint32_t starts;               /* so far, of the persistent one that has it */
};

struct mpi_channels {
    struct mpu_channel *all;
    struct mpi_channel channel[MPU_CHANNELS];
};

/* The number of the channel that is c's; NONE. */
static int number_of(const struct mpi_coll *c)
{
    int i = c->place.persistent;
    if (i == 0)
        return (int)(mpi_coll_number_of(c) % NONBLOCKING);
    return i <= MPU_CHANNELS - NONBLOCKING ? NONBLOCKING + i - 1 : NONE;
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
    return made;
}

/* The channel; NULL: no memory. */
static struct mpi_channel *find(const struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    if (!comm->channels)
        comm->channels = make(c->p, comm);
    return comm->channels ? &comm->channels->channel[number_of(c)] : NULL;
}

/* By messages, or whatever comes next, from its first round on. */
static int otherwise(struct mpi_coll *c)
{
    mpu_flow_matters(c->p->rank);
    mpi_coll_otherwise(c);
    c->step.base = c->step.round - 1;
    return c->algorithm->round(c, 0);
}

static void enter(struct mpi_coll *c, struct mpi_channel *ch)
{
    c->place.channel = ch;
    c->place.next = NULL;
    if (ch->first)
        ch->last->place.next = c;
    else
        ch->first = c;
    ch->last = c;
}

static void go_on(struct mpi_coll *c)
{
    struct mpu_flow *f = c->place.held;
    c->place.held = NULL;
    if (f)
        mpu_flow_done(f);
}

/* The next one that waits for the channel has it. */
static void leave(struct mpi_coll *c)
{
    struct mpi_channel *ch = c->place.channel;
    struct mpi_coll **at = &ch->first, *before = NULL;
    while (*at != c) {
        before = *at;
        at = &before->place.next;
    }
    *at = c->place.next;
    if (ch->last == c)
        ch->last = before;
    c->place.channel = NULL;
    if (!before && ch->first)
        go_on(ch->first);
}

/* Which of the communicator's nonblocking ones it is: its number, which begins again after so many,
 * as one that does not. */
static uint32_t count_of(const struct mpi_coll *c)
{
    uint32_t last = c->comm->collectives[1] - 1;
    return last - (last - mpi_coll_number_of(c)) % MPI_COLL_NUMBERS;
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
    struct mpu_outcome *o = &c->segment.outcome;
    struct mpu_segment *s = c->segment.at;
    if (!closes)
        *o = *mpu_leaders_outcome(s);
    else if (mpu_leaders_alike(s, &c->segment.visit, o) && f->combine)
        f->combine(c);
    if (closes)
        mpu_leaders_release(s, c->p->rank, o);
    if (!o->agreed && is_later(c))
        return arrive(c);
    if (o->agreed && f->bring)
        f->bring(c);
    mpi_segment_take(c, f, o);
    if (c->place.channel)
        leave(c);
    return MPI_COLL_DONE;
}

static int arrive(struct mpi_coll *c)
{
    const struct mpi_segment_form *f = c->algorithm->form;
    const struct mpi_channel *ch = c->place.channel;
    c->segment.at = mpu_channel_segment(ch->at);
    struct mpu_visit *v = mpi_segment_visit(c, mpi_coll_cancelled);
    if (v->left)
        return MPI_COLL_DONE;
    v->cancelled = NULL;
    v->said.number = c->place.number;
    v->head = f->head;
    v->first = 0;
    v->end = c->size;
    uint8_t *to = mpu_channel_begin(ch->at, v);
    if (f->leave)
        f->leave(c);
    if (f->give)
        f->give(c, to);
    if (mpu_channel_arrive(ch->at, v))
        return finish(c, true);
    c->step.phase = ARRIVED;
    if (c->place.next)
        mpu_channel_hurry(ch->at);
    return MPI_COLL_WAITS;
}

/* The first time. */
static int come(struct mpi_coll *c)
{
    if (!mpi_segment_join(c))
        return MPI_COLL_DONE;
    if (number_of(c) == NONE || (!c->comm->channels && !mpu_channel_has_place(c->comm->segment)))
        return otherwise(c);
    struct mpi_channel *ch = find(c);
    if (!ch) {
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
        mpi_coll_break(c, MPI_COLL_OWN, c->rank);
        return MPI_COLL_DONE;
    }
    enter(c, ch);
    c->place.number = c->place.persistent ? ch->starts++ : count_of(c);
    if (ch->first == c)
        return arrive(c);
    c->place.held = mpu_flow_hold(c->p->rank);
    mpu_flow_matters(c->p->rank);
    mpu_channel_hurry(ch->at);
    return MPI_COLL_WAITS;
}

static int steps(struct mpi_coll *c, int k)
{
    if (k == 0)
        return come(c);
    if (c->step.phase == COMES)
        return arrive(c);
    return finish(c, mpu_channel_came(c->place.channel->at));
}

void mpi_channel_broken(struct mpi_coll *c)
{
    struct mpi_channel *ch = c->place.channel;
    if (c->blocking || !ch)
        return;
    if (ch->first == c)
        mpu_channel_leave(ch->at);
    leave(c);
    go_on(c);
}

void mpi_channels_free(struct mpi_process *p, struct mpi_comm *comm)
{
    for (int i = 0; i < MPU_CHANNELS; i++)
        b_assert(!comm->channels->channel[i].first);
    mpu_channels_free(comm->channels->all);
    mpi_free(p, comm->channels);
}

/* All ranks alike: processes of one rank each, which share memory. */
static bool meets(const struct mpi_coll *c)
{
    return !c->blocking && !c->p->checker && c->size > 1 && c->comm->shared &&
           mpu_channels_may_be(c->p->rank, c->comm->clusters);
}

#define ALWAYS(c) true

/* ... and `may` go by the form of the blocking one. */
#define CHANNEL(id, may)                                                                           \
    static bool id##_applies(const struct mpi_coll *c)                                             \
    {                                                                                              \
        return meets(c) && may(c);                                                                 \
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

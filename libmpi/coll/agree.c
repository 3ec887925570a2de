/* SPDX-License-Identifier: MIT */
/* Ranks that disagree about a collective operation: how it is noticed, and how all of them end it.
 * docs/collectives.md, Agreement. */
#include <base/assert.h>
#include <base/error.h>
#include <mpiutil/alarm.h>

#include "coll/agree.h"
#include "coll/call.h"
#include "coll/channel.h"
#include "coll/segment.h"
#include "comm/comm.h"

/* An alarm that is being told to the others: the own group, then the other one. */
struct mpi_alarm {
    struct mpi_alarm *next;
    struct mpi_comm *comm;
    struct mpu_alarm alarm;
    int own, other; /* who is next */
};

static bool tell(struct mpi_process *p, struct mpi_alarm *t)
{
    const struct mpu_comm *own = t->comm->inter ? &t->comm->local : &t->comm->coll;
    return mpu_alarm_tell(p->rank, &t->alarm, own, &t->own) &&
           (!t->comm->inter || mpu_alarm_tell(p->rank, &t->alarm, &t->comm->coll, &t->other));
}

/* As far as messages leave without waiting; true: all are told. */
static bool tell_on(struct mpi_process *p)
{
    while (p->alarms.pending && tell(p, p->alarms.pending)) {
        struct mpi_alarm *t = p->alarms.pending;
        p->alarms.pending = t->next;
        mpi_comm_release(p, t->comm);
        if (p->alarms.spare)
            mpi_free(p, t);
        else
            p->alarms.spare = t;
    }
    return !p->alarms.pending;
}

void mpi_coll_listen_on(struct mpi_process *p)
{
    mpu_notify_always(p->rank, p->alarms.pending || p->alarms.watched || p->alarms.late[0].came);
}

void mpi_coll_watch(struct mpi_coll *c)
{
    struct mpi_coll **first = &c->p->alarms.watched, *next = *first;
    c->watched.next = next;
    c->watched.at = first;
    if (next)
        next->watched.at = &c->watched.next;
    *first = c;
    mpi_coll_listen_on(c->p);
}

void mpi_coll_unwatch(struct mpi_coll *c)
{
    struct mpi_coll *next = c->watched.next;
    b_assert(*c->watched.at == c);
    *c->watched.at = next;
    if (next)
        next->watched.at = c->watched.at;
    mpi_coll_listen_on(c->p);
}

/* What an alarm takes is put by, because it may be raised for want of memory. */
static struct mpi_alarm *new_alarm(struct mpi_process *p)
{
    struct mpi_alarm *t = mpi_alloc(p, sizeof *t);
    if (!t) {
        t = p->alarms.spare;
        p->alarms.spare = NULL;
    }
    return t;
}

/* If there is no memory, and an alarm before it has what was put by, as many are told as can be at
 * once. */
void mpi_coll_alarm(struct mpi_process *p, struct mpi_comm *comm, uint32_t n, uint32_t last,
                    const struct mpi_call *own)
{
    struct mpi_alarm now = {.comm = comm, .alarm = mpi_call_alarm(comm, n, own, false)};
    now.alarm.last = last;
    mpu_alarm_raise(p->rank, &now.alarm);
    if (tell(p, &now))
        return;
    struct mpi_alarm *later = new_alarm(p);
    if (!later)
        return;
    *later = now;
    later->next = p->alarms.pending;
    p->alarms.pending = later;
    mpi_comm_retain(comm);
    mpi_coll_listen_on(p);
}

static void tell_all(struct mpi_coll *c, uint32_t n, uint32_t last)
{
    struct mpi_call own = mpi_call_of(c);
    mpi_coll_alarm(c->p, c->comm, n, last, &own);
}

static void tell_own(struct mpi_coll *c)
{
    tell_all(c, mpi_coll_number_of(c), mpi_coll_number_of(c));
}

/* Whether anything has come that concerns operations that are watched, since they were looked at: a
 * new one has looked when it began, or when it had to wait. None of the numbers ever falls. */
static bool is_news(struct mpi_process *p)
{
    uint32_t before = p->alarms.looked;
    p->alarms.looked = mpu_came(p->rank) + mpu_alarms(p->rank);
    if (p->checker)
        p->alarms.looked += p->checker->stalls;
    return p->alarms.looked != before;
}

/* Wherever the rank waits. */
static void notified(void *arg, uint32_t why)
{
    struct mpi_process *p = arg;
    if (p->checker)
        p->checker->hooks->notified(p, why);
    if (p->alarms.late[0].came)
        mpi_late_look(p, NULL);
    if (p->alarms.pending && tell_on(p))
        mpi_coll_listen_on(p);
    bool news = p->alarms.watched && is_news(p);
    for (struct mpi_coll *c = news ? p->alarms.watched : NULL; c; c = c->watched.next)
        if (!c->inside) {
            mpi_coll_check_alarms(c);
            mpi_coll_look(c);
        }
}

void mpi_coll_listen(struct mpi_process *p)
{
    mpu_set_notify(p->rank, notified, p);
    if (mpi_late_listen)
        mpi_late_listen(p);
}

void mpi_coll_prepare(struct mpi_process *p)
{
    mpi_coll_listen(p);
    if (!p->alarms.spare)
        p->alarms.spare = mpi_alloc(p, sizeof *p->alarms.spare);
}

static bool all_told(void *arg)
{
    return tell_on(arg);
}

void mpi_coll_leave(struct mpi_coll *c)
{
    if (c->p->alarms.pending)
        mpu_until(c->p->rank, all_told, c->p);
    if (c->broken && c->blocking && c->comm->segment)
        mpu_segment_clear(c->comm->segment, c->p->rank, mpi_segment_number(c));
}

/* What the others have sent for it nobody will receive. */
static __attribute__((cold)) void note_end(struct mpi_coll *c)
{
    int half = !c->blocking, *forgotten = &c->comm->forgotten[half];
    int tag = c->tag - mpi_coll_first_tag(half);
    if (*forgotten <= tag)
        *forgotten = tag + MPU_OPERATION_TAGS;
    c->broken = c->comm->broken = true;
    if (c->p->checker)
        c->p->checker->hooks->ended(c);
}

void mpi_coll_absent(struct mpi_coll *c)
{
    if (c->size == 1 && !c->comm->inter)
        return;
    c->agreement.verdict = MPI_COLL_OWN;
    note_end(c);
    tell_own(c);
    mpi_coll_leave(c);
}

__attribute__((cold)) void mpi_coll_break(struct mpi_coll *c, enum mpi_coll_verdict why,
                                          int offender)
{
    if (c->broken)
        return;
    c->stopped = true;
    note_end(c);
    c->agreement.verdict = why;
    c->agreement.offender = offender;
    for (int i = 0; i < c->messages.n; i++)
        if (!mpu_done(&c->messages.slots[i].q))
            (c->messages.slots[i].receives ? mpu_recv_drop
                                           : mpu_send_cancel)(&c->messages.slots[i].q);
    if (c->agreement.closes)
        mpi_segment_release(c);
    if (mpi_channel_broken)
        mpi_channel_broken(c);
    if (why == MPI_COLL_CYCLE)
        tell_all(c, 0, 2 * MPI_COLL_NUMBERS - 1);
    else if (why != MPI_COLL_ALARMED)
        tell_own(c);
}

void mpi_coll_was_late(struct mpi_coll *c, int offender)
{
    if (c->error)
        return;
    mpi_coll_fail(c, MPI_ERR_OTHER);
    c->agreement.verdict = MPI_COLL_LATE;
    c->agreement.offender = offender;
}

void mpi_coll_judge(struct mpi_coll *c)
{
    mpi_coll_look(c);
    if (c->comm->late)
        mpi_late_judge(c);
    if (c->p->checker && !c->broken)
        c->p->checker->hooks->ended(c);
}

void mpi_coll_take_alarms(struct mpi_coll *c)
{
    uint32_t now = mpu_alarms(c->p->rank);
    struct mpi_call own = mpi_call_of(c), other;
    int rank;
    if (!c->broken && mpi_call_find(c, &rank, &other)) {
        mpi_coll_fail(c, mpi_call_class_beside(&own, &other));
        mpi_coll_break(c, MPI_COLL_ALARMED, rank);
    }
    if (c->p->checker)
        c->p->checker->hooks->waits(c);
    c->agreement.alarms = now;
}

/* In both contexts that collectives use. */
bool mpi_coll_unmatched(const struct mpi_process *p, const struct mpi_comm *comm, int first,
                        int last, unsigned int mark, int *from, int *tag)
{
    return mpu_unmatched(p->rank, &comm->coll, first, last, mark, from, tag) ||
           (comm->inter && mpu_unmatched(p->rank, &comm->local, first, last, mark, from, tag));
}

void mpi_coll_forget(const struct mpi_coll *c, int first, int last)
{
    mpu_forget(c->p->rank, &c->comm->coll, first, last);
    if (c->comm->inter)
        mpu_forget(c->p->rank, &c->comm->local, first, last);
}

bool mpi_coll_slot_differs(struct mpi_coll_slot *s)
{
    return s->receives && mpu_done(&s->q) && s->q.error != -B_ECANCELED &&
           mpu_marks_differ_in(s->q.mark, s->q.sent_mark, ~MPU_MARK_ELEMENT);
}

/* A receive of this operation has taken a message of another one. What else the round waits for may
 * never end then: whoever sent it does not receive what this rank sends there. */
static bool received_other(struct mpi_coll *c, int *from)
{
    for (int i = 0; i < c->messages.n; i++)
        if (mpi_coll_slot_differs(&c->messages.slots[i])) {
            *from = c->messages.slots[i].q.source;
            return true;
        }
    return false;
}

void mpi_coll_look_unmatched(struct mpi_coll *c)
{
    int from, tag;
    c->agreement.unmatched = mpu_came(c->p->rank);
    if (c->broken)
        return;
    if (received_other(c, &from) ||
        mpi_coll_unmatched(c->p, c->comm, c->tag, c->tag + MPU_OPERATION_TAGS - 1, mpi_coll_mark(c),
                           &from, &tag)) {
        mpi_coll_fail(c, MPI_ERR_OTHER);
        mpi_coll_break(c, MPI_COLL_DIFFERS, from);
    } else if (c->p->alarms.late[0].came || c->p->alarms.late[1].came) {
        mpi_late_look(c->p, c);
    }
    if (c->comm->forgotten[0])
        mpi_coll_forget(c, mpi_coll_forgotten_from(c->comm, 0), c->comm->forgotten[0] - 1);
    if (mpi_coll_forget_others)
        mpi_coll_forget_others(c);
}

bool mpi_coll_cancelled(void *coll)
{
    struct mpi_coll *c = coll;
    mpi_coll_check_alarms(c);
    mpi_coll_look(c);
    if (c->broken)
        mpi_coll_fail(c, MPI_ERR_OTHER);
    return c->broken;
}

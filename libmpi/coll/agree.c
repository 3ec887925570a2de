/* SPDX-License-Identifier: MIT */
/* Ranks that disagree about a collective operation: how it is noticed, and how all of them end it.
 * docs/collectives.md, Agreement. */
#include <base/mem.h>
#include <mpiutil/alarm.h>

#include "coll/agree.h"
#include "coll/call.h"
#include "coll/segment.h"
#include "internal/comm.h"

/* Of the half of the numbers that the operation is in: which one, and its first tag. */
static int half(const struct mpi_coll *c)
{
    return mpi_coll_number_of(c) >= MPI_COLL_NUMBERS;
}

static int first_of(int half)
{
    return half * MPI_COLL_NUMBERS * MPI_COLL_SUBS;
}

static const struct mpi_call unknown = {.root = -1, .mark = UINT16_MAX, .name = "something else"};

/* Somebody who tells the others: the own group, then the other one. */
struct mpi_teller {
    struct mpi_teller *next;
    struct mpi_comm *comm;
    struct mpu_alarm alarm;
    int own, other; /* who is next */
};

static bool tell(struct mpi_process *p, struct mpi_teller *t)
{
    const struct mpu_comm *own = t->comm->inter ? &t->comm->local : &t->comm->coll;
    return mpu_alarm_tell(p->rank, &t->alarm, own, &t->own) &&
           (!t->comm->inter || mpu_alarm_tell(p->rank, &t->alarm, &t->comm->coll, &t->other));
}

/* As far as messages leave without waiting; true: all are told. */
static bool tell_on(struct mpi_process *p)
{
    while (p->tellers && tell(p, p->tellers)) {
        struct mpi_teller *t = p->tellers;
        p->tellers = t->next;
        mpi_comm_release(p, t->comm);
        if (p->spare_teller)
            mpi_free(p, t);
        else
            p->spare_teller = t;
    }
    return !p->tellers;
}

static void heed_while_needed(struct mpi_process *p)
{
    mpu_heed_always(p->rank, p->tellers || p->watched);
}

void mpi_coll_watch(struct mpi_coll *c)
{
    c->watched = c->p->watched;
    c->p->watched = c;
    heed_while_needed(c->p);
}

void mpi_coll_unwatch(struct mpi_coll *c)
{
    struct mpi_coll **at = &c->p->watched;
    while (*at != c)
        at = &(*at)->watched;
    *at = c->watched;
    heed_while_needed(c->p);
}

/* What an alarm takes is put by, because it may be raised for want of memory. */
static struct mpi_teller *new_teller(struct mpi_process *p)
{
    struct mpi_teller *t = mpi_alloc(p, sizeof *t);
    if (!t) {
        t = p->spare_teller;
        p->spare_teller = NULL;
    }
    return t;
}

/* Of the operations n to last, which this rank called so. If there is no memory, and an alarm
 * before it has what was put by, as many are told as can be at once. */
static void alert_range(struct mpi_process *p, struct mpi_comm *comm, uint32_t n, uint32_t last,
                        const struct mpi_call *own)
{
    struct mpi_teller now = {.comm = comm, .alarm = mpi_call_words(comm, n, own, false)};
    now.alarm.last = last;
    mpu_alarm_raise(p->rank, &now.alarm);
    if (tell(p, &now))
        return;
    struct mpi_teller *later = new_teller(p);
    if (!later)
        return;
    *later = now;
    later->next = p->tellers;
    p->tellers = later;
    mpi_comm_hold(comm);
    heed_while_needed(p);
}

static void alert(struct mpi_process *p, struct mpi_comm *comm, uint32_t n,
                  const struct mpi_call *own)
{
    alert_range(p, comm, n, n, own);
}

static void alert_own(struct mpi_coll *c)
{
    struct mpi_call own = mpi_call_of(c);
    alert(c->p, c->comm, mpi_coll_number_of(c), &own);
}

/* The ranks count differently now, so that no operation of the communicator can end well. */
static void alert_all(struct mpi_coll *c)
{
    struct mpi_call own = mpi_call_of(c);
    alert_range(c->p, c->comm, 0, 2 * MPI_COLL_NUMBERS - 1, &own);
}

/* Whether a question is about an operation that the rank has not come to, and, as it is in
 * MPI_Finalize, will not. */
static bool never_comes(const struct mpi_process *p, const struct mpi_comm *c, uint32_t n)
{
    uint32_t next = mpi_coll_number(c, n < MPI_COLL_NUMBERS);
    return p->stopped && (n - next) % MPI_COLL_NUMBERS < MPI_COLL_NUMBERS / 2;
}

/* A question about an operation that this rank will not come to, or that it has ended, if that was
 * broken, or another one. */
static bool is_news(const struct mpu_alarm *a, const void *process)
{
    struct mpi_process *p = (struct mpi_process *)(uintptr_t)process;
    struct mpi_comm *c = mpi_comm_of_context(p, a->context);
    if (!c || !a->asks)
        return false;
    if (never_comes(p, c, a->first))
        return true;
    uint32_t key = mpi_call_key(a->context, a->first);
    uint64_t own = p->past ? *mpi_call_place(p, key) : 0;
    return own && own >> 32 == key &&
           (uint32_t)own != mpi_call_terms((const struct mpi_call *)(const void *)a->said);
}

/* What this rank can tell of an operation that has ended here otherwise than for who is still at
 * it: why it ended, if another rank's alarm said so; else only that it was something else. */
struct ending {
    uint32_t context, number;
};

static bool says_why(const struct mpu_alarm *a, const void *arg)
{
    const struct ending *e = arg;
    return !a->asks && a->context == e->context && e->number >= a->first && e->number <= a->last &&
           ((const struct mpi_call *)(const void *)a->said)->class;
}

static struct mpi_call ending_of(struct mpi_process *p, const struct mpi_comm *comm, uint32_t n)
{
    const struct ending e = {comm->coll.context, n};
    struct mpu_alarm a;
    return mpu_alarm_find(p->rank, says_why, &e, &a) ? mpi_call_said(&a) : unknown;
}

/* Those up to n have ended then, as far as this rank takes part. */
static void answer(struct mpi_process *p, struct mpi_comm *comm, uint32_t n)
{
    static const struct mpi_call finalize = {
        .root = -1, .mark = UINT16_MAX, .name = "MPI_Finalize"};
    bool never = never_comes(p, comm, n);
    uint32_t *made = &comm->collectives[n >= MPI_COLL_NUMBERS];
    if (never)
        *made += (n - *made) % MPI_COLL_NUMBERS + 1;
    else
        *mpi_call_place(p, mpi_call_key(comm->coll.context, n)) = 0;
    const struct mpi_call ended = ending_of(p, comm, n);
    alert(p, comm, n, never ? &finalize : &ended);
}

static void take_news(struct mpi_process *p)
{
    struct mpu_alarm a;
    if (LWMPI_SMALL) /* which has neither the short way nor notes */
        return;
    while (mpu_alarm_find(p->rank, is_news, p, &a)) {
        struct mpi_comm *comm = mpi_comm_of_context(p, a.context);
        answer(p, comm, a.first);
    }
}

/* Wherever the rank waits. */
static void heed(void *arg, uint32_t why)
{
    struct mpi_process *p = arg;
    p->impatience += (why & MPU_IMPATIENT) != 0;
    if (!LWMPI_SMALL)
        p->stopped |= (why & MPU_STOPS) != 0;
    if (why & MPU_ALARMED)
        take_news(p);
    if (p->tellers && tell_on(p))
        heed_while_needed(p);
    for (struct mpi_coll *c = p->watched; c; c = c->watched)
        if (!c->inside) {
            mpi_coll_heed(c);
            mpi_coll_look(c);
        }
}

void mpi_coll_may_be_asked(struct mpi_process *p)
{
    mpu_set_heed(p->rank, heed, p);
}

void mpi_coll_be_heedful(struct mpi_process *p)
{
    mpi_coll_may_be_asked(p);
    if (!p->spare_teller)
        p->spare_teller = mpi_alloc(p, sizeof *p->spare_teller);
    if (mpi_coll_may_ask)
        mpi_coll_may_ask(p);
}

static bool all_told(void *arg)
{
    return tell_on(arg);
}

void mpi_coll_tell_all(struct mpi_process *p)
{
    if (p->tellers)
        mpu_until(p->rank, all_told, p);
}

void mpi_coll_leave(struct mpi_coll *c)
{
    mpi_coll_tell_all(c->p);
    if (c->broken && c->blocking && c->comm->segment)
        mpu_segment_clear(c->comm->segment, c->p->rank, mpi_coll_number_of(c));
}

void mpi_coll_absent(struct mpi_coll *c)
{
    if (c->size == 1 && !c->comm->inter)
        return;
    c->doubt = MPI_COLL_OWN;
    c->broken = true;
    if (mpi_call_note)
        mpi_call_note(c, 0);
    alert_own(c);
    mpi_coll_leave(c);
}

void mpi_coll_break(struct mpi_coll *c, enum mpi_coll_doubt why, int culprit)
{
    if (c->broken)
        return;
    c->broken = c->stopped = c->comm->broken = true;
    int *judged = &c->comm->judged[half(c)], tag = c->tag - first_of(half(c));
    if (*judged <= tag)
        *judged = tag + MPI_COLL_SUBS;
    if (mpi_call_note)
        mpi_call_note(c, 0);
    c->doubt = why;
    c->culprit = culprit;
    for (int i = 0; i < c->n; i++)
        if (!mpu_done(&c->slots[i].q))
            (c->slots[i].receives ? mpu_recv_drop : mpu_send_cancel)(&c->slots[i].q);
    if (c->holds)
        mpi_segment_release(c);
    if (!LWMPI_SMALL && why == MPI_COLL_CROSSED)
        alert_all(c);
    else if (why != MPI_COLL_ALARMED)
        alert_own(c);
}

void mpi_coll_heed_alarms(struct mpi_coll *c)
{
    uint32_t now = mpu_alarms(c->p->rank);
    struct mpi_call own = mpi_call_of(c), other;
    int rank;
    take_news(c->p);
    if (!c->broken && mpi_coll_would_ask(c))
        mpi_coll_ask(c);
    for (int asks = 0; asks < 2 - LWMPI_SMALL && !c->broken; asks++)
        if (mpi_call_find(c, &own, asks, &rank, &other)) {
            mpi_coll_fail(c, mpi_call_class_beside(&own, &other));
            mpi_coll_break(c, asks ? MPI_COLL_ASKED : MPI_COLL_ALARMED, rank);
        }
    if (!LWMPI_SMALL && !c->broken && mpi_coll_stuck(c) &&
        mpi_call_find_crossed(c, &rank, &other)) {
        mpi_coll_fail(c, MPI_ERR_OTHER);
        mpi_coll_break(c, MPI_COLL_CROSSED, rank);
    }
    c->alarms = now;
    c->patience = c->p->impatience;
}

/* In both contexts that collectives use. */
static bool stray(const struct mpi_coll *c, int first, int last, unsigned int mark, int *from,
                  int *tag)
{
    const struct mpu_rank *r = c->p->rank;
    return first <= last &&
           (mpu_stray(r, &c->comm->coll, first, last, mark, from, tag) ||
            (c->comm->inter && mpu_stray(r, &c->comm->local, first, last, mark, from, tag)));
}

/* What nobody will receive any more. */
static void forget(const struct mpi_coll *c)
{
    for (int i = 0; i < 2; i++) {
        int first = first_of(i), last = first + c->comm->judged[i] - 1;
        if (last >= first)
            mpu_forget(c->p->rank, &c->comm->coll, first, last);
        if (last >= first && c->comm->inter)
            mpu_forget(c->p->rank, &c->comm->local, first, last);
    }
}

/* A message of an operation before this one that is no news, in either half of the numbers. While
 * others are under way, or may be started, their messages are none of the past. */
static bool past(const struct mpi_coll *c, int *from, int *tag)
{
    struct mpi_comm *comm = c->comm;
    for (int i = 0; c->opened && comm->open == 1 && i < 2; i++) {
        int first = first_of(i), begun = (int)(comm->collectives[i] % MPI_COLL_NUMBERS);
        int end = i == half(c) ? c->tag : first + begun * MPI_COLL_SUBS;
        if (stray(c, first + comm->judged[i], end - 1, 0, from, tag)) {
            comm->judged[i] = end - first;
            return true;
        }
    }
    return false;
}

/* Of an operation of the past the others are told, who may still be at it. */
void mpi_coll_look_strays(struct mpi_coll *c)
{
    int from, tag;
    c->strays = mpu_came(c->p->rank);
    if (c->broken)
        return;
    if (stray(c, c->tag, c->tag + MPI_COLL_SUBS - 1, mpi_coll_mark(c), &from, &tag)) {
        mpi_coll_fail(c, MPI_ERR_OTHER);
        mpi_coll_break(c, MPI_COLL_DIFFERS, from);
    } else if (past(c, &from, &tag)) {
        c->late = true;
        c->culprit = from;
        uint32_t number = (uint32_t)tag / MPI_COLL_SUBS;
        const struct mpi_call ended = ending_of(c->p, c->comm, number);
        alert(c->p, c->comm, number, &ended);
    }
    forget(c);
}

bool mpi_coll_doubts(void *coll)
{
    struct mpi_coll *c = coll;
    mpi_coll_heed(c);
    mpi_coll_look(c);
    if (c->broken)
        mpi_coll_fail(c, MPI_ERR_OTHER);
    return c->broken;
}

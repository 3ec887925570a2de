/* SPDX-License-Identifier: MIT */
/* Sends that wait for an answer of their receiver, the answers, and taking such a send back.
 *
 *     sender                              receiver
 *       | RTS or SYNC                         |
 *       |------------------------------------>|  not matched
 *       | CANCEL                              |
 *       |------------------------------------>|  found among the unexpected: forgotten
 *       |<----------- CANCELLED --------------|
 *       |  done, cancelled                    |  else: no answer, the send goes on
 *
 * Inside a cluster the question lies in a cell, and the receiver answers by finishing the send. */
#include <base/error.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "protocol/index.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/lane.h"
#include "transport/transport.h"

/* In the key of a send that is to be taken back: its receiver is to be asked. Its ring is that of
 * its cookie all the same. */
#define CANCELS (UINT64_C(1) << 63)

uint32_t mpu_cookie(struct mpu_rank *r, struct mpu_request *q)
{
    q->arrival.wire.cookie = ++r->unanswered.cookie;
    return q->arrival.wire.cookie;
}

void mpu_asked(struct mpu_rank *r, struct mpu_request *q)
{
    mpu_index_put(r, &r->unanswered.sends, &q->arrival, q->arrival.wire.cookie);
}

struct mpu_request *mpu_asked_take(struct mpu_rank *r, uint32_t cookie)
{
    struct mpu_arrival *a = mpu_index_find(&r->unanswered.sends, cookie, ~CANCELS);
    if (!a)
        return NULL;
    mpu_index_take(&r->unanswered.sends, a);
    mpu_hold_left(r, mpu_request_of(a));
    return mpu_request_of(a);
}

/* Answers -------------------------------------------------------------------------------------- */

void mpu_reply(struct mpu_rank *r, struct mpu_arrival *a, enum mpu_kind kind)
{
    a->wire.kind = (uint8_t)kind;
    a->next = NULL;
    *r->replies.end = a;
    r->replies.end = &a->next;
    mpu_reply_next(r);
}

void mpu_reply_next(struct mpu_rank *r)
{
    while (r->replies.first && !r->outbox.busy) {
        struct mpu_arrival *a = r->replies.first;
        r->replies.first = a->next;
        if (!r->replies.first)
            r->replies.end = &r->replies.first;
        mpu_post_header(r, (int)a->wire.from, a->wire.kind, MPU_NO_PORT, a->wire.cookie, 0);
        mpu_arrival_end(r, a);
    }
}

void mpu_acked(struct mpu_rank *r, struct mpu_arrival *a)
{
    uint32_t cookie = a->wire.cookie;
    mpu_arrival_end(r, a);
    if (r->cluster->set->answered && r->cluster->set->answered(r, cookie))
        return;
    struct mpu_request *q = mpu_asked_take(r, cookie);
    if (!q)
        mpu_fail(r, "received an acknowledgement of no send of its own", B_EPROTO);
    mpu_finish(q, 0);
}

/* Taking back ---------------------------------------------------------------------------------- */

void mpu_cancelled(struct mpu_request *q)
{
    q->cancelled = true;
    mpu_finish(q, 0);
}

/* Of a send that still waits for the outbox nobody knows, unless pieces of it have left. */
static bool cancel_waiting(struct mpu_rank *r, struct mpu_request *q)
{
    for (struct mpu_request **at = &r->outbox.first; *at; at = &(*at)->next)
        if (*at == q && q->count == 0) {
            mpu_unqueue(at, &r->outbox.end);
            mpu_cancelled(q);
            return true;
        }
    return false;
}

static void cancel_local(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_cell *cell = mpu_cell_take_local(r, true);
    if (!cell)
        return;
    cell->a.wire = (struct mpu_wire){
        .kind = MPU_CANCEL, .from = (uint32_t)r->number, .size = (uintptr_t)&q->arrival};
    mpu_local_push(r, &r->cluster->endpoint[q->world], &cell->a);
}

/* The questions wait for the outbox where their sends wait. */
void mpu_send_cancel(struct mpu_request *q)
{
    struct mpu_rank *r = q->rank;
    if (q->proto == &mpu_local_copy) {
        cancel_local(r, q); /* its flags are the receiver's, which may forget it meanwhile */
        return;
    }
    if (q->cancel || cancel_waiting(r, q))
        return;
    if (r->throttle.holds && mpu_hold_cancel(r, q)) {
        mpu_cancelled(q);
        return;
    }
    q->cancel = true;
    q->arrival.wire.marked |= CANCELS; /* counts if it waits for an answer */
    r->unanswered.cancels = true;
    mpu_cancel_next(r);
}

void mpu_cancel_next(struct mpu_rank *r)
{
    while (r->unanswered.cancels && !r->outbox.busy) {
        struct mpu_arrival *a = mpu_index_find(&r->unanswered.sends, CANCELS, CANCELS);
        r->unanswered.cancels = a;
        if (!a)
            return;
        a->wire.marked &= ~CANCELS;
        mpu_post_header(r, mpu_request_of(a)->world, MPU_CANCEL, MPU_NO_PORT, a->wire.cookie, 0);
    }
}

static bool may_be_forgotten(const struct mpu_arrival *a)
{
    return (a->origin == MPU_FROM_NET || a->origin == MPU_FROM_MEMORY) &&
           (a->wire.kind == MPU_RTS || a->wire.kind == MPU_SYNC || a->wire.kind == MPU_SLOT);
}

static bool is_asked_about(const struct mpu_arrival *a, const void *question)
{
    const struct mpu_wire *w = question;
    return may_be_forgotten(a) && a->wire.from == w->from && a->wire.cookie == w->cookie;
}

/* Nobody will ever receive it, and it is no longer queued: its sender is told. */
static void forget(struct mpu_rank *r, struct mpu_arrival *a)
{
    int from = (int)a->wire.from, credit = mpu_credit_of(a);
    bool answers = may_be_forgotten(a);
    while (credit > 1 && a->more) {
        struct mpu_arrival *piece = a->more;
        a->more = piece->more;
        mpu_arrival_end(r, piece);
    }
    if (a->origin == MPU_FROM_REQUEST)
        mpu_request_of(a)->cancelled = true;
    if (answers)
        mpu_reply(r, a, MPU_CANCELLED);
    else
        mpu_arrival_end(r, a);
    if (credit)
        mpu_credit_owe(r, from, credit);
}

/* The send of a neighbour may be done by now, and gone: then it is in no list. */
void mpu_cancel_asked(struct mpu_rank *r, struct mpu_arrival *question)
{
    const struct mpu_wire *w = &question->wire;
    struct mpu_arrival *a =
        question->origin != MPU_FROM_NET
            ? (struct mpu_arrival *)(uintptr_t)w->size
            : mpu_match_find(&r->match, 0, MPU_MATCH_LISTS, 0, is_asked_about, w);
    if (a && mpu_match_remove(&r->match, a))
        forget(r, a);
    mpu_arrival_end(r, question);
}

/* Messages of operations: of a communicator, NULL: of all, and tags; with marks that name another
 * operation than `mark`, 0: any. */
struct operations {
    const struct mpu_comm *comm;
    int first, last;
    unsigned int mark;
};

static bool is_of(const struct mpu_arrival *a, const void *arg)
{
    const struct operations *o = arg;
    const struct mpu_wire *w = &a->wire;
    unsigned int named = w->mark & ~MPU_MARK_ELEMENT;
    bool there =
        !o->comm || (w->context == o->comm->context && w->tag >= o->first && w->tag <= o->last);
    return there && named && named != o->mark;
}

void mpu_forget(struct mpu_rank *r, const struct mpu_comm *c, int first, int last)
{
    const struct operations o = {c, first, last, 0};
    struct mpu_arrival *a;
    while ((a = mpu_match_find(&r->match, 0, MPU_MATCH_LISTS, 0, is_of, &o))) {
        mpu_match_remove(&r->match, a);
        forget(r, a);
    }
}

__attribute__((cold)) bool mpu_unmatched(const struct mpu_rank *r, const struct mpu_comm *c,
                                         int first, int last, unsigned int mark, int *from,
                                         int *tag)
{
    const struct operations o = {c, first, last, mark};
    uint32_t number = mpu_operation_of(first);
    bool one = number == mpu_operation_of(last);
    const struct mpu_arrival *a =
        mpu_match_find(&r->match, mpu_match_operation(c->context, number),
                       one ? MPU_MATCH_BESIDE : MPU_MATCH_LISTS, mark, is_of, &o);
    if (!a)
        return false;
    *from = (int)a->wire.source;
    *tag = a->wire.tag;
    return true;
}

void mpu_cancel_done(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_withdraw(r, a->wire.cookie);
    if (!q)
        mpu_fail(r, "a send that is under way was cancelled", B_EPROTO);
    mpu_arrival_end(r, a);
    if (r->cluster->set->withdrawn)
        r->cluster->set->withdrawn(r, q);
    mpu_cancelled(q);
    r->cluster->set->bulk->go(r);
    mpu_hold_next(r);
}

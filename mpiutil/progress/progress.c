/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_thread.h>

#include "progress/cell.h"
#include "progress/credit.h"
#include "progress/progress.h"
#include "proto/proto.h"

void mpu_fail(const struct mpu_rank *r, const char *what, int error)
{
    char line[160];
    b_fmt(line, sizeof line, "rank %d: %s: %s", r->number, what, b_error_message(error));
    k_abort(1, line);
}

void mpu_ring(struct mpu_rank *r)
{
    k_wait_lock(&r->bell);
    r->bell.rung = 1;
    k_wake(&r->bell, 1);
    k_wait_unlock(&r->bell);
}

void mpu_charge_match(const struct mpu_rank *r, uint64_t n)
{
    if (n && r->cluster->info.match_cycles)
        k_work(n * r->cluster->info.match_cycles);
}

void mpu_finish(struct mpu_request *q, int error)
{
    q->error = error;
    atomic_store_explicit(&q->done, true, memory_order_release);
}

void mpu_land(struct mpu_rank *r)
{
    if (r->landing)
        return;
    r->landing = mpu_cell_take(r);
    if (!r->landing)
        return;
    int rc = k_mailbox_aread(r->inbox, &r->landing->a.wire, HAL_MAIL_DATA, NULL);
    if (rc < 0)
        mpu_fail(r, "cannot read its mailbox", rc);
}

void mpu_deliver(struct mpu_rank *r, struct mpu_arrival *a)
{
    uint64_t before = r->match.compared;
    struct mpu_request *q = mpu_match_arrival(&r->match, a);
    mpu_charge_match(r, r->match.compared - before);
    if (q)
        mpu_proto_receive(r, q, a);
}

static void allowed(struct mpu_rank *r, struct mpu_arrival *a)
{
    mpu_rendezvous_allow(r, &a->wire);
    mpu_arrival_end(r, a);
}

static void arrived(struct mpu_rank *r, struct mpu_arrival *a)
{
    static void (*const handler[MPU_KINDS])(struct mpu_rank *, struct mpu_arrival *) = {
        [MPU_EAGER] = mpu_deliver,       [MPU_RTS] = mpu_deliver,
        [MPU_ALLOW] = allowed,           [MPU_CREDIT] = mpu_arrival_end,
        [MPU_SYNC] = mpu_deliver,        [MPU_ACK] = mpu_acked,
        [MPU_CANCEL] = mpu_cancel_asked, [MPU_CANCELLED] = mpu_cancel_done,
        [MPU_SPLIT] = mpu_split_first,   [MPU_PIECE] = mpu_split_piece,
        [MPU_LOCAL] = mpu_deliver};
    handler[a->wire.kind](r, a);
}

static void inbox_progress(struct mpu_rank *r)
{
    while (r->landing && k_ikc_test(K_MAILBOX, r->inbox) == 1) {
        long n = k_ikc_wait(K_MAILBOX, r->inbox, 0);
        if (n < 0)
            mpu_fail(r, "cannot read its mailbox", (int)n);
        struct mpu_cell *cell = r->landing;
        if (!mpu_wire_valid(&cell->a.wire, n, r->cluster->job->ranks) ||
            !mpu_credit_take(r, &cell->a.wire))
            mpu_fail(r, "received a malformed message", B_EPROTO);
        r->landing = NULL;
        mpu_land(r);
        arrived(r, &cell->a);
    }
}

void mpu_post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload, size_t n)
{
    uint8_t message[HAL_MAIL_DATA];
    struct svc_place place = mpu_place(r->cluster, to);
    struct mpu_wire header = *w;
    header.credit = mpu_credit_give(r, to);
    memcpy(message, &header, sizeof header);
    if (n)
        memcpy(message + sizeof *w, payload, n);
    int rc = k_mailbox_awrite(r->outbox, place.cluster, place.local, message, sizeof *w + n);
    if (rc < 0)
        mpu_fail(r, "cannot write to a rank", rc);
    r->outbox_busy = true;
}

static void outbox_progress(struct mpu_rank *r)
{
    if (r->outbox_busy && k_ikc_test(K_MAILBOX, r->outbox) == 1) {
        long rc = k_ikc_wait(K_MAILBOX, r->outbox, 0);
        r->outbox_busy = false;
        if (rc < 0)
            mpu_fail(r, "a message could not be delivered", (int)rc);
    }
    mpu_reply_next(r);
    mpu_cancel_next(r);
    mpu_credit_next(r);
    mpu_rendezvous_next(r);
    mpu_proto_next(r);
    mpu_lazy_reap(r);
}

static struct mpu_arrival *local_take(struct mpu_rank *r, bool *rung)
{
    k_wait_lock(&r->bell);
    struct mpu_arrival *list = r->inbox_local;
    *rung = r->bell.rung;
    r->inbox_local = NULL;
    r->inbox_local_end = &r->inbox_local;
    r->bell.rung = 0;
    k_wait_unlock(&r->bell);
    return list;
}

bool mpu_progress(struct mpu_rank *r)
{
    bool rung;
    struct mpu_arrival *a = local_take(r, &rung);
    if (!rung)
        return false;
    while (a) {
        struct mpu_arrival *next = a->next;
        arrived(r, a);
        a = next;
    }
    inbox_progress(r);
    mpu_rendezvous_progress(r);
    outbox_progress(r);
    return true;
}

static void advance(const struct mpu_rank *r)
{
    if (r->advance)
        r->advance(r->advance_arg);
}

bool mpu_poll(struct mpu_rank *r)
{
    bool any = mpu_progress(r);
    advance(r);
    return any;
}

void mpu_set_advance(struct mpu_rank *r, void (*f)(void *arg), void *arg)
{
    r->advance = f;
    r->advance_arg = arg;
}

void mpu_yield(void)
{
    k_thread_yield();
}

void mpu_until(struct mpu_rank *r, bool (*done)(void *arg), void *arg)
{
    for (;;) {
        advance(r);
        if (done(arg))
            return;
        if (mpu_progress(r))
            continue;
        k_wait_lock(&r->bell);
        if (r->bell.rung)
            k_wait_unlock(&r->bell);
        else
            k_wait_on(&r->bell, K_FOREVER);
    }
}

static bool request_done(void *arg)
{
    return mpu_done(arg);
}

const char *mpu_protocol(const struct mpu_request *q)
{
    return q->proto ? q->proto->name : "receive";
}

/* In the trace a wait bears the name of the protocol. */
void mpu_wait(struct mpu_request *q)
{
    if (mpu_done(q))
        return;
    struct k_span span;
    k_trace_begin(&span, mpu_protocol(q));
    mpu_until(q->rank, request_done, q);
    k_trace_end(&span);
}

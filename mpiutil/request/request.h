/* SPDX-License-Identifier: MIT */
/* A request on its way: a message finds it, its bytes arrive, it is done. Functions marked "core"
 * run on any thread of the core of the request's rank, the others on the rank's thread. */
#ifndef MPIUTIL_REQUEST_REQUEST_H
#define MPIUTIL_REQUEST_REQUEST_H

#include <stddef.h>

#include <base/assert.h>
#include <mpiutil/flow.h>
#include <mpiutil/help.h>

#include "rank/rank.h"

/* Rank's thread: a message is started; the flow that it belongs to, NULL: none. */
static inline struct mpu_flow *mpu_flow_join(struct mpu_rank *r)
{
    b_assert(!r->flows.now || r->flows.now->rank == r);
    if (r->flows.now)
        atomic_fetch_add_explicit(&r->flows.now->left, 1, memory_order_relaxed);
    return r->flows.now;
}

/* Rank's thread: q was started. */
static inline void mpu_help_message(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_help *h = r->help;
    if (h && q->size > h->above && !mpu_done(q))
        h->asked = true;
}

/* Rank's thread: a flow begins (1), is over (-1). */
static inline void mpu_help_flow(const struct mpu_flow *f, int more)
{
    struct mpu_help *h = f->rank->help;
    if (!h || f->quiet)
        return;
    h->flows += more;
    h->barred += f->calls ? more : 0;
    h->asked |= more > 0;
}

/* Charges r the price of the comparisons of envelopes in m since there were `before`. */
void mpu_charge_compared(struct mpu_rank *r, uint64_t n);
static inline void mpu_charge_match(struct mpu_rank *r, const struct mpu_match *m, uint64_t before)
{
    if (r->cluster->info.match_cycles)
        mpu_charge_compared(r, m->compared - before);
}

/* Core: the posted receive that takes the message with this header, taken out of its list; NULL:
 * none. One of the two ranks pays for the comparisons. */
struct mpu_request *mpu_expected(struct mpu_rank *to, const struct mpu_wire *w,
                                 struct mpu_rank *pays);

/* Core: a message that no posted receive takes goes to the unexpected ones. */
void mpu_unexpected(struct mpu_rank *r, struct mpu_arrival *a);

/* Core: the request is done; its rank wakes up if it waits for it. _complete: the same, inline. */
void mpu_finish(struct mpu_request *q, int error);
static inline void mpu_complete(struct mpu_request *q, int error)
{
    struct mpu_rank *r = q->rank;
    struct mpu_flow *flow = q->flow;
    b_assert(!mpu_done(q));
    q->error = error;
    atomic_store_explicit(&q->done, true, memory_order_release);
    if (flow)
        mpu_flow_done(flow);
    else if (mpu_waits(r) && (!r->awaited || r->awaited == q))
        mpu_ring(r);
}

/* The request that an arrival is part of. */
static inline struct mpu_request *mpu_request_of(const struct mpu_arrival *a)
{
    return (struct mpu_request *)((uintptr_t)a - offsetof(struct mpu_request, arrival));
}

/* Receiver: notes the envelope of the message in q, and how many bytes q takes of it. */
static inline uint64_t mpu_accept(struct mpu_request *q, const struct mpu_wire *w)
{
    uint64_t size = w->size;
    q->source = (int)w->source;
    q->tag = w->tag;
    q->world = (int)w->from;
    q->sent_mark = w->mark;
    q->count = size < q->size ? size : q->size;
    return q->count;
}

/* The bytes of a receive, which took a message of `size` bytes, have arrived: it is done. */
void mpu_received(struct mpu_request *q, uint64_t size);

/* Receiver: n bytes of the message, from `at` on, are at `data`; all n bytes are the sender's, who
 * is in the same cluster. */
void mpu_store(struct mpu_request *q, uint64_t at, uint64_t n, const void *data);
void mpu_copy_from(struct mpu_request *q, const struct mpu_request *sender, uint64_t n);

/* Core: q takes the message whose bytes are all at `data`, and is done. */
void mpu_receive_now(struct mpu_request *q, const struct mpu_wire *w, const void *data);

/* Ends the job: the layers below failed in a way from which a message cannot be saved. */
_Noreturn void mpu_fail(const struct mpu_rank *r, const char *what, int error);

#endif

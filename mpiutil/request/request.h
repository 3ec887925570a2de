/* SPDX-License-Identifier: MIT */
/* A request on its way: a message finds it, its bytes arrive, it is done. Functions marked "core"
 * run on any thread of the core of the request's rank, the others on the rank's thread. */
#ifndef MPIUTIL_REQUEST_REQUEST_H
#define MPIUTIL_REQUEST_REQUEST_H

#include <base/assert.h>
#include <base/error.h>

#include "rank/rank.h"
#include "request/flow.h"

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

/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include <base/assert.h>
#include <base/error.h>
#include <mpiutil/trace.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"

void mpu_proto_receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    /* By the kind of message; NULL: what comes is for the set's `other`. */
    static const struct mpu_proto *const receivers[MPU_KINDS] = {
        [MPU_EAGER] = &mpu_eager, [MPU_SYNC] = &mpu_eager, [MPU_LOCAL] = &mpu_local_copy};
    const struct mpu_proto *p = receivers[a->wire.kind];
    if (a->wire.kind == MPU_RTS || a->wire.kind == MPU_FOUND)
        p = mpu_announced_by(r, q);
    b_assert(p || r->cluster->set->other);
    (p ? p : r->cluster->set->other)->receive(r, q, a);
}

void mpu_deliver(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_expected(r, &a->wire, r);
    if (q)
        mpu_proto_receive(r, q, a);
    else
        mpu_unexpected(r, a);
}

struct mpu_wire mpu_wire_of(const struct mpu_rank *r, const struct mpu_request *q, enum mpu_kind k)
{
    return (struct mpu_wire){.kind = (uint8_t)k,
                             .context = q->context,
                             .source = (uint32_t)q->source,
                             .tag = q->tag,
                             .from = (uint32_t)r->number,
                             .marked = mpu_marked(q->size, q->mark)};
}

bool mpu_streams(const struct mpu_rank *r, uint64_t n)
{
    return r->cluster->streams && n > MPU_LOCAL_MAX;
}

__attribute__((cold)) void mpu_carried_count(struct mpu_rank *r)
{
    mpu_counted(r);
    for (const struct mpu_proto *const *p = r->cluster->set->proto; *p; p++)
        if (r->carried[(*p)->id].messages) {
            k_count((*p)->messages, r->carried[(*p)->id].messages);
            k_count((*p)->bytes, r->carried[(*p)->id].bytes);
        }
}

/* False: not now. The protocol may hand the send on to another one, which then counts. In the trace
 * its start shows here; what is left of it while it is waited for. */
static bool launch(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_span span;
    mpu_span_begin(r, &span, q->proto->name);
    r->outbox.hurries = q->flow != NULL;
    bool started = q->proto->start(r, q);
    r->outbox.hurries = false;
    if (!started)
        return false;
    mpu_span_end(r, &span, true);
    mpu_carried(r, q->proto->id, q->size);
    return true;
}

/* A protocol puts a send that it started into a queue of its own. */
void mpu_proto_next(struct mpu_rank *r)
{
    while (r->outbox.first) {
        struct mpu_request *q = r->outbox.first;
        struct mpu_request *next = q->next;
        if (!mpu_hold_behind(r, q) && !launch(r, q))
            return;
        r->outbox.first = next;
        if (!next)
            r->outbox.end = &r->outbox.first;
    }
}

/* What sends and receives have in common. Field by field: what a compiler makes of 160 bytes to be
 * cleared takes longer than the rest of a receive. Of the arrival only `more` means something
 * before it is used. */
static inline void prepare(struct mpu_rank *r, struct mpu_request *q, uint32_t context, int source,
                           int tag, const void *buf, uint64_t n)
{
    q->rank = r;
    q->flow = mpu_flow_join(r);
    q->proto = NULL;
    q->context = context;
    q->source = source;
    q->tag = tag;
    q->port = 0;
    q->flags = 0;
    q->streamed = (n & MPU_STREAMED) != 0;
    atomic_store_explicit(&q->done, false, memory_order_relaxed);
    q->mark = mpu_mark_of(n);
    q->buf = (uint8_t *)(uintptr_t)buf;
    q->size = n & MPU_BYTES_MOST;
    q->moved = 0;
    q->piece = 0;
    q->arrival.more = NULL;
}

/* Sends ---------------------------------------------------------------------------------------- */

static __attribute__((cold)) bool try_traced(struct mpu_rank *r, const struct mpu_endpoint *to,
                                             const struct mpu_wire *w, const void *buf)
{
    const struct mpu_route *route = mpu_route_to(r, to);
    struct mpu_span span;
    mpu_span_begin(r, &span, route->now->name);
    bool sent = route->try_now(r, to, w, buf);
    if (sent)
        mpu_span_end(r, &span, true);
    return sent;
}

/* Whether the message could be sent at once: the way of most. */
static inline bool try_now(struct mpu_rank *r, const struct mpu_endpoint *to, enum mpu_kind kind,
                           const struct mpu_comm *c, int tag, const void *buf, uint64_t n)
{
    const struct mpu_wire w = {.kind = (uint8_t)kind,
                               .context = c->context,
                               .source = (uint32_t)c->rank,
                               .tag = tag,
                               .from = (uint32_t)r->number,
                               .marked = n};
    const struct mpu_route *route = mpu_route_to(r, to);
    if (!route->try_now || n & MPU_STREAMED)
        return false;
    return r->cluster->traced ? try_traced(r, to, &w, buf) : route->try_now(r, to, &w, buf);
}

bool mpu_send_now(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
                  uint64_t n)
{
    return try_now(r, &r->cluster->endpoint[mpu_comm_world(c, to)], MPU_EAGER, c, tag, buf, n);
}

/* Of a send whose endpoint refused to send it at once: the first protocol that applies does it. */
static void carry(struct mpu_rank *r, struct mpu_request *q, const struct mpu_endpoint *to)
{
    const struct mpu_proto *const *p = &r->cluster->set->proto[mpu_route_to(r, to)->first];
    while (p[0]->applies && !p[0]->applies(r, q))
        p++;
    q->proto = p[0];
    if (r->cluster->has.before)
        r->cluster->has.before(r, q);
    if (q->proto == &mpu_local_copy) { /* needs no outbox */
        launch(r, q);
        return;
    }
    mpu_queue(&r->outbox.end, q);
    mpu_proto_next(r);
    mpu_help_message(r, q);
}

static void start_refused(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                          int to, int tag, const void *buf, uint64_t n, bool sync)
{
    prepare(r, q, c->context, c->rank, tag, buf, n);
    q->next = NULL;
    q->world = mpu_comm_world(c, to);
    q->sync = sync;
    q->stage = MPU_NO_STAGE;
    q->error = 0;
    q->count = 0;
    carry(r, q, &r->cluster->endpoint[q->world]);
}

static inline void send_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                              int to, int tag, const void *buf, uint64_t n, bool sync)
{
    const struct mpu_endpoint *e = &r->cluster->endpoint[mpu_comm_world(c, to)];
    r->outbox.hurries = r->flows.now != NULL;
    bool sent = try_now(r, e, sync ? MPU_SYNC : MPU_EAGER, c, tag, buf, n);
    r->outbox.hurries = false;
    if (!sent) {
        start_refused(r, q, c, to, tag, buf, n, sync);
        return;
    }
    q->flags = 0;
    q->error = 0;
    q->proto = NULL;
    atomic_store_explicit(&q->done, true, memory_order_relaxed);
}

void mpu_send_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int to,
                    int tag, const void *buf, uint64_t n)
{
    send_start(r, q, c, to, tag, buf, n, false);
}

__attribute__((cold)) void mpu_send_sync_start(struct mpu_rank *r, struct mpu_request *q,
                                               const struct mpu_comm *c, int to, int tag,
                                               const void *buf, uint64_t n)
{
    send_start(r, q, c, to, tag, buf, n, true);
}

static __attribute__((noinline)) int send_and_wait(struct mpu_rank *r, const struct mpu_comm *c,
                                                   int to, int tag, const void *buf, uint64_t n,
                                                   const char *call)
{
    struct mpu_request q;
    start_refused(r, &q, c, to, tag, buf, n, false);
    if (!mpu_done(&q)) {
        mpu_does(r, call, c, to, tag, n & MPU_BYTES_MOST);
        mpu_wait(&q);
        r->doing.call = NULL;
    }
    return q.error;
}

void mpu_send_together(struct mpu_rank *r, int n)
{
    r->outbox.together = (uint32_t)n;
}

int mpu_send(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
             uint64_t n, const char *call)
{
    bool sent = mpu_send_now(r, c, to, tag, buf, n);
    return sent ? 0 : send_and_wait(r, c, to, tag, buf, n, call);
}

/* Receives ------------------------------------------------------------------------------------- */

/* The rank itself sees to its lists: to take memory may let others run, who use them. */
static __attribute__((cold)) void more_lists(struct mpu_rank *r)
{
    void *memory = mpu_alloc(r, mpu_match_bytes(&r->match));
    mpu_free(r, mpu_match_grow(&r->match, memory));
}

/* What is not set here is not read before a message was accepted. */
void mpu_recv_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int from,
                    int tag, void *buf, uint64_t n)
{
    prepare(r, q, c->context, from, tag, buf, n);
    if (mpu_match_crowded(&r->match))
        more_lists(r);
    q->world = from == MPU_ANY ? MPU_ANY : mpu_comm_world(c, from);
    uint64_t before = r->match.compared;
    struct mpu_arrival *a = mpu_match_receive(&r->match, q);
    mpu_charge_match(r, &r->match, before);
    if (a)
        mpu_proto_receive(r, q, a);
    else if (r->throttle.askings)
        mpu_want_missed(r);
    mpu_help_message(r, q);
}

int mpu_recv_wait(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                  const char *call)
{
    if (!mpu_done(q)) {
        mpu_does(r, call, c, q->source, q->tag, q->size);
        mpu_wait(q);
        r->doing.call = NULL;
    }
    return q->error;
}

int mpu_recv(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int from, int tag,
             void *buf, uint64_t n, const char *call)
{
    mpu_recv_start(r, q, c, from, tag, buf, n);
    return mpu_recv_wait(r, q, c, call);
}

bool mpu_recv_cancel(struct mpu_request *q)
{
    return mpu_match_cancel(&q->rank->match, q);
}

void mpu_recv_drop(struct mpu_request *q)
{
    if (!mpu_match_cancel(&q->rank->match, q))
        return;
    q->count = 0;
    mpu_finish(q, -B_ECANCELED);
}

struct mpu_arrival *mpu_probe(struct mpu_rank *r, const struct mpu_comm *c, int from, int tag,
                              bool take)
{
    uint64_t before = r->match.compared;
    struct mpu_arrival *a = mpu_match_probe(&r->match, c->context, from, tag, take);
    mpu_charge_match(r, &r->match, before);
    if (!a && r->throttle.askings)
        mpu_want_probed(r, from == MPU_ANY ? MPU_ANY : mpu_comm_world(c, from));
    return a;
}

uint32_t mpu_came(const struct mpu_rank *r)
{
    return r->match.came;
}

__attribute__((cold)) void mpu_recv_taken(struct mpu_rank *r, struct mpu_request *q,
                                          struct mpu_arrival *a, void *buf, uint64_t n)
{
    prepare(r, q, a->wire.context, (int)a->wire.source, a->wire.tag, buf, n);
    mpu_proto_receive(r, q, a);
    mpu_help_message(r, q);
}

/* SPDX-License-Identifier: MIT */
/* Blocking sends and receives. What ranks of one core mostly do to each other, where nothing is
 * charged for, is here once more in few instructions: a short message whose receive is the oldest
 * of its list; a receive that names its source and tag and that no message has come for. All else
 * goes the general way, and so does everything where the library is made for size. */
#include "progress/progress.h"
#include "proto/proto.h"

/* Sends a message of that kind; false: it is not one, and nothing happened. */
static inline bool send_quickly(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag,
                                const void *buf, uint64_t n)
{
    const struct mpu_endpoint *at = &r->cluster->endpoint[mpu_comm_world(c, to)];
    const struct mpu_letter l = {c->context, (uint32_t)c->rank, tag, (uint32_t)r->number, n};
    uint64_t size = n & MPU_BYTES_MOST;
    if (LWMPI_SMALL || !r->quick || at->here < 0 || at->core != r->core || size > B_COPY_SHORT)
        return false;
    struct mpu_match *m = &r->cluster->ranks[at->here].match;
    struct mpu_posted *list = &mpu_match_lists(m, l.context, l.source, tag)->posted;
    struct mpu_request *q = list->first;
    if (!q || m->wild.first || q->context != l.context || q->source != c->rank || q->tag != tag ||
        q->streamed)
        return false;
    m->compared++;
    mpu_match_take(m, list, &list->first);
    b_copy_short(q->buf, buf, mpu_accept_letter(q, &l));
    mpu_carried(r, MPU_PROTO_LOCAL_DIRECT, size);
    mpu_complete(q, mpu_accepted(q, size));
    return true;
}

static __attribute__((noinline)) int send(const struct mpu_comm *c, int to, int tag,
                                          const void *buf, uint64_t n, const char *call)
{
    struct mpu_rank *r = mpu_self();
    struct mpu_request q;
    if (mpu_send_now(r, c, to, tag, buf, n))
        return 0;
    mpu_send_start(r, &q, c, to, tag, buf, n);
    if (!mpu_done(&q)) {
        mpu_does(r, call, c->name, to, tag, n & MPU_BYTES_MOST);
        mpu_wait(&q);
        mpu_does(r, NULL, NULL, 0, 0, 0);
    }
    return q.error;
}

int mpu_send(const struct mpu_comm *c, int to, int tag, const void *buf, uint64_t n,
             const char *call)
{
    struct mpu_rank *r = mpu_self_quickly();
    bool sent = r && send_quickly(r, c, to, tag, buf, n);
    return sent ? 0 : send(c, to, tag, buf, n, call);
}

/* Sleeps until q is done; false: it may not be. */
static inline bool sleep(struct mpu_rank *r, struct mpu_request *q)
{
    struct k_bell *b = &r->bell;
    if (LWMPI_SMALL || !r->plain || mpu_lane_news(r) ||
        atomic_load_explicit(&b->tasks, memory_order_relaxed))
        return false;
    r->awaited = q;
    mpu_note(r, MPU_WAITS);
    k_bell_wait(b, K_FOREVER);
    mpu_note(r, MPU_RUNS);
    if (!mpu_done(q) || b->rung != MPU_RUNG) {
        mpu_progress(r);
        return false;
    }
    b->rung = 0;
    return true;
}

/* Posts a receive of that kind; false: it is not one. What is not set here is not read before a
 * message was accepted. */
static inline bool post_quickly(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                                int from, int tag)
{
    struct mpu_match *m = &r->match;
    uint64_t n = q->size;
    if (LWMPI_SMALL || !r->plain || r->flow || r->askings || m->waiting || (from | tag) < 0 ||
        mpu_match_crowded(m))
        return false;
    q->rank = r;
    q->flow = NULL;
    q->proto = NULL;
    q->context = c->context;
    q->source = from;
    q->tag = tag;
    q->world = mpu_comm_world(c, from);
    q->port = 0;
    q->flags = 0;
    q->streamed = (n & MPU_STREAMED) != 0;
    atomic_store_explicit(&q->done, false, memory_order_relaxed);
    q->mark = mpu_mark_of(n);
    q->size = n & MPU_BYTES_MOST;
    q->piece = 0;
    q->arrival.more = NULL;
    mpu_match_post(m, q);
    return true;
}

int mpu_recv(struct mpu_request *q, const struct mpu_comm *c, int from, int tag, const char *call)
{
    struct mpu_rank *r = mpu_self_quickly();
    if (!r || !post_quickly(r, q, c, from, tag)) {
        r = mpu_self();
        mpu_recv_start(r, q, c, from, tag, q->buf, q->size);
        if (mpu_done(q))
            return q->error;
    }
    r->doing = (struct mpu_doing){call, c->name, from, tag, q->size};
    if (!sleep(r, q))
        mpu_wait(q);
    r->doing.call = NULL;
    return q->error;
}

/* SPDX-License-Identifier: MIT */
/* The receiver's side of held sends (hold.c). A sender that holds some says so in an announcement,
 * and then is asked (WANT) for each receive that nothing has matched, until it says that it holds
 * no more (OVER). A receive is known by its number among all of the rank. */

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/transport.h"

/* Of a sender. */
struct mpu_asking {
    struct mpu_asking *next;
    int peer;
    uint64_t at; /* it was asked for the receives below this number */
};

static struct mpu_asking **find(struct mpu_rank *r, int peer)
{
    struct mpu_asking **at = &r->throttle.askings;
    while (*at && (*at)->peer != peer)
        at = &(*at)->next;
    return at;
}

static void forget(struct mpu_rank *r, struct mpu_asking **at)
{
    struct mpu_asking *w = *at;
    *at = w->next;
    mpu_free(r, w);
}

/* Without memory, and for a probe, it is asked for all that it holds, in its order. */
static void ask_all(struct mpu_rank *r, int peer)
{
    r->credit.peers[peer].all = true;
    r->throttle.wants_all = true;
}

void mpu_want_more(struct mpu_rank *r, int from)
{
    struct mpu_asking **at = find(r, from);
    if (!*at && (*at = mpu_alloc(r, sizeof **at)))
        **at = (struct mpu_asking){.peer = from};
    if (!*at)
        ask_all(r, from);
    mpu_want_missed(r);
}

void mpu_want_missed(struct mpu_rank *r)
{
    r->throttle.wants = true;
    mpu_want_next(r);
}

/* A probe takes nothing, so it cannot name one message out of its order. */
void mpu_want_probed(struct mpu_rank *r, int from)
{
    for (struct mpu_asking **at = &r->throttle.askings; *at;) {
        if (from != MPU_ANY && (*at)->peer != from) {
            at = &(*at)->next;
            continue;
        }
        ask_all(r, (*at)->peer);
        forget(r, at);
    }
    mpu_want_missed(r);
}

static void ask(struct mpu_rank *r, int peer, const struct mpu_request *q)
{
    struct mpu_wire w = {.kind = MPU_WANT,
                         .from = (uint32_t)r->number,
                         .context = q->context,
                         .cookie = (uint32_t)q->order,
                         .size = r->match.posted};
    if (q->tag == MPU_ANY)
        w.port |= MPU_WANT_ANY_TAG;
    else
        w.tag = q->tag;
    mpu_post(r, peer, &w, NULL, 0);
    k_count("want.asked", 1);
}

static void next_all(struct mpu_rank *r)
{
    for (int i = 0; i < mpu_ranks(r); i++)
        if (r->credit.peers[i].all) {
            if (r->outbox.busy)
                return;
            r->credit.peers[i].all = false;
            mpu_post_header(r, i, MPU_WANT, MPU_WANT_ALL, 0, 0);
        }
    r->throttle.wants_all = false;
}

/* In the order in which they were posted: what fits two of them is for the first. */
void mpu_want_next(struct mpu_rank *r)
{
    if (!r->throttle.wants || r->outbox.busy || r->life.closing)
        return;
    if (r->throttle.wants_all)
        next_all(r);
    for (struct mpu_asking *w = r->throttle.askings; w; w = w->next) {
        struct mpu_request *q;
        while ((q = mpu_match_since(&r->match, w->at))) {
            bool concerned = q->source == MPU_ANY || q->world == w->peer;
            if (concerned && r->outbox.busy)
                return;
            if (concerned)
                ask(r, w->peer, q);
            w->at = q->order + 1;
        }
    }
    r->throttle.wants = r->throttle.wants_all;
}

/* For all that is posted. */
static void ask_anew(struct mpu_rank *r, int from)
{
    struct mpu_asking *w = *find(r, from);
    if (w)
        w->at = 0;
    mpu_want_more(r, from);
}

/* The receive with this number, of which the last 32 bits are known; NULL: it is not posted. */
static struct mpu_request *posted(const struct mpu_rank *r, uint32_t id)
{
    uint64_t order = r->match.order - (uint32_t)((uint32_t)r->match.order - id);
    struct mpu_request *q = mpu_match_since(&r->match, order);
    return q && q->order == order ? q : NULL;
}

/* If an earlier receive fits the message, the sender does not know of that receive: its WANT was
 * among those that the sender forgot. The message is refused. A sender forgets what was wanted
 * when it is refused a message, so all receives are asked for again, after the refusal: answers
 * leave first (progress/progress.c). */
void mpu_want_found(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = posted(r, a->wire.context);
    if (q) {
        a->wire.context = q->context;
        struct mpu_request *first = mpu_match_peek(&r->match, &a->wire);
        if (first == q) {
            mpu_match_cancel(&r->match, q);
            mpu_proto_receive(r, q, a);
            return;
        }
    }
    int from = (int)a->wire.from;
    mpu_reply(r, a, MPU_REFUSED);
    k_count("want.refused", 1);
    ask_anew(r, from);
}

/* It may still hold others, and have forgotten what is wanted of them. */
void mpu_want_over(struct mpu_rank *r, struct mpu_arrival *a)
{
    int from = (int)a->wire.from;
    uint32_t more = (uint32_t)a->wire.size;
    mpu_arrival_end(r, a);
    struct mpu_asking **at = find(r, from);
    if (more)
        ask_anew(r, from);
    else if (*at)
        forget(r, at);
}

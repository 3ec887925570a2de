/* SPDX-License-Identifier: MIT */
/* Held sends, at their sender: announcements (RTS) take memory of a receiver that may want none of
 * them, so a rank has only a window of them at another one, of which the last one says so. Further
 * sends to that one are held, in their order, until some were matched; then they are announced as
 * ever. A receiver that waits for something else (want.c) says what it wants:
 *
 *     sender                              receiver
 *       | RTS, ... as many as may be          |
 *       |------------------------------------>|  all unmatched
 *       | holds the others                    |  posts a receive that none of them matches
 *       |<----- WANT: context, tag, id -------|
 *       | the first held one that fits        |
 *       |------------- FOUND: id ------------>|  still posted: as an RTS that it matches
 *       |<------------ REFUSED ---------------|  else: held again, where it was; all wants
 *       |                                     |  are forgotten, and it asks anew
 *       | holds no more, the window is open   |
 *       |------------- OVER ----------------->|  asks no more
 *
 * What nobody sent yet is remembered until it is, or until it is OVER. Of two messages that fit one
 * receive, none overtakes the other: while a FOUND is on its way, which may come back, nothing else
 * is announced but what others want that it does not fit.
 *
 * A receive may have ended otherwise. When there must be more such wants than others, all are
 * forgotten, and the receiver, told so by an OVER that says so, asks again for what is posted.
 *
 * What is held for a receiver, and what it wants, is found by context and tag (protocol/index.h). A
 * want that nothing fits is looked at again when something is held that fits it and no older want
 * of those. */
#include <base/assert.h>
#include <base/error.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "protocol/index.h"
#include "transport/cell.h"
#include "transport/transport.h"

#define SPARE   64                 /* wants that may be remembered without need */
#define CONTEXT (UINT64_MAX << 32) /* these bits of a key */
#define TAG     UINT32_MAX         /* ... those; all: any tag */

/* One for each receiver at which the window is full or was, until nothing for it is held. */
struct mpu_hold {
    struct mpu_hold *next;
    int world;
    int found;             /* on their way to it, unanswered */
    bool asked;            /* it has asked for something */
    bool all;              /* it wants all */
    bool forgets;          /* what it wants, at the next occasion */
    uint64_t order;        /* number of the next one that is held or wanted */
    struct mpu_index held; /* by context and tag */
    /* Wanted, kept as arrivals: to be looked for, in one ring; and what nothing fits that is held,
     * by context and tag. */
    struct mpu_index fresh, vain;
    uint64_t out; /* of tags of `found`, modulo its bits */
};

static struct mpu_hold *find(const struct mpu_rank *r, int world)
{
    struct mpu_hold *h = r->throttle.holds;
    while (h && h->world != world)
        h = h->next;
    return h;
}

static struct mpu_hold *make(struct mpu_rank *r, int world)
{
    struct mpu_hold *h = mpu_alloc(r, sizeof *h);
    if (!h)
        return NULL;
    *h = (struct mpu_hold){.next = r->throttle.holds, .world = world};
    r->throttle.holds = h;
    return h;
}

static bool window_full(const struct mpu_rank *r, int world)
{
    return (int)r->credit.peers[world].announced >= r->cluster->announce;
}

static uint64_t key_of(uint32_t context, int tag)
{
    return (uint64_t)context << 32 | (uint32_t)tag;
}

/* Held from now on, or again. */
static void hold(struct mpu_rank *r, struct mpu_hold *h, struct mpu_request *q)
{
    q->stage = MPU_HELD_STAGE;
    mpu_index_put(r, &h->held, &q->arrival, key_of(q->context, q->tag));
}

static struct mpu_request *release(struct mpu_hold *h, const struct mpu_arrival *a)
{
    mpu_index_take(&h->held, a);
    return mpu_request_of(a);
}

/* The first want that it fits, of those that nothing fitted, is to be looked for. */
static void append(struct mpu_rank *r, struct mpu_hold *h, struct mpu_request *q)
{
    mpu_cookie(r, q);
    q->arrival.order = h->order++;
    hold(r, h, q);
    uint64_t key = q->arrival.wire.marked;
    struct mpu_arrival *want = mpu_index_find(&h->vain, key, MPU_INDEX_KEY);
    struct mpu_arrival *other = mpu_index_find(&h->vain, key | TAG, MPU_INDEX_KEY);
    if (!want || (other && other->order < want->order))
        want = other;
    if (want) {
        mpu_index_take(&h->vain, want);
        mpu_index_put(NULL, &h->fresh, want, want->wire.marked);
    }
    mpu_hold_next(r);
}

struct mpu_hold *mpu_hold_some(const struct mpu_rank *r, int world)
{
    struct mpu_hold *h = find(r, world);
    return h && (h->held.count || h->found) ? h : NULL;
}

bool mpu_hold_behind(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_hold *h = q->proto->id == MPU_PROTO_LAZY ? NULL : mpu_hold_some(r, q->world);
    if (!h)
        return false;
    q->proto = mpu_announced_by(r, q);
    append(r, h, q);
    mpu_carried(r, q->proto->id, q->size);
    return true;
}

bool mpu_hold_full(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_hold *h = find(r, q->world);
    if (!h || (!h->held.count && !h->found && (h->all || !window_full(r, q->world))))
        return false;
    append(r, h, q);
    return true;
}

/* Those beyond the window, and the last one of it if there is no memory to hold others, are not
 * counted. */
bool mpu_hold_announced(struct mpu_rank *r, struct mpu_request *q, bool found)
{
    struct mpu_peer *p = &r->credit.peers[q->world];
    q->stage = found ? MPU_FOUND_STAGE : MPU_NO_STAGE;
    if (found || r->cluster->set->answers)
        return false;
    if (window_full(r, q->world))
        return true;
    if ((int)p->announced + 1 == r->cluster->announce && !find(r, q->world) && !make(r, q->world))
        return false;
    q->stage = MPU_COUNTED_STAGE;
    p->announced++;
    return window_full(r, q->world);
}

void mpu_hold_left(struct mpu_rank *r, struct mpu_request *q)
{
    if (q->stage == MPU_COUNTED_STAGE) {
        b_assert(r->credit.peers[q->world].announced > 0);
        r->credit.peers[q->world].announced--;
    } else if (q->stage == MPU_FOUND_STAGE) {
        struct mpu_hold *h = find(r, q->world);
        b_assert(h->found > 0);
        if (--h->found == 0)
            h->out = 0;
    }
}

static void in_order(struct mpu_rank *r, struct mpu_hold *h)
{
    while (h->held.count && !h->found && !r->outbox.busy && (h->all || !window_full(r, h->world)))
        mpu_announce(r, release(h, mpu_index_find(&h->held, 0, 0)), NULL);
}

/* What fits two wants is for the first. What fits one may come back from another receive. */
static void by_want(struct mpu_rank *r, struct mpu_hold *h)
{
    while (h->held.count && h->fresh.one && !r->outbox.busy) {
        struct mpu_arrival *want = h->fresh.one->next;
        uint64_t key = want->wire.marked, bit = UINT64_C(1) << key % 64, of = MPU_INDEX_KEY;
        if ((uint32_t)key == TAG) {
            key &= of = CONTEXT;
            bit = UINT64_MAX;
        }
        if (h->out & bit)
            return;
        mpu_index_take(&h->fresh, want);
        struct mpu_arrival *a = mpu_index_find(&h->held, key, of);
        if (!a) {
            mpu_index_put(r, &h->vain, want, want->wire.marked);
            continue;
        }
        h->found++;
        h->out |= UINT64_C(1) << a->wire.marked % 64;
        mpu_announce(r, release(h, a), &want->wire);
        mpu_free(r, want);
    }
}

static void drop(struct mpu_rank *r, struct mpu_index *x)
{
    while (x->count) {
        struct mpu_arrival *a = mpu_index_find(x, 0, 0);
        mpu_index_take(x, a);
        mpu_free(r, a);
    }
    if (x->mask)
        mpu_free(r, x->last);
    *x = (struct mpu_index){0};
}

static void drop_wants(struct mpu_rank *r, struct mpu_hold *h)
{
    drop(r, &h->fresh);
    drop(r, &h->vain);
    h->forgets = false;
}

/* more: others are still held. */
static void forget(struct mpu_rank *r, struct mpu_hold *h, bool more)
{
    drop_wants(r, h);
    if (h->asked && !r->life.closing)
        mpu_post_header(r, h->world, MPU_OVER, 0, 0, more);
}

void mpu_hold_next(struct mpu_rank *r)
{
    for (struct mpu_hold **at = &r->throttle.holds; *at && !r->outbox.busy;) {
        struct mpu_hold *h = *at;
        in_order(r, h);
        by_want(r, h);
        bool more = h->held.count || h->found || window_full(r, h->world);
        if (r->outbox.busy)
            return;
        if (!more || h->forgets)
            forget(r, h, more);
        if (more) {
            at = &h->next;
        } else {
            *at = h->next;
            drop(r, &h->held);
            mpu_free(r, h);
        }
    }
}

bool mpu_hold_cancel(struct mpu_rank *r, struct mpu_request *q)
{
    if (q->stage != MPU_HELD_STAGE)
        return false;
    release(find(r, q->world), &q->arrival);
    q->stage = MPU_NO_STAGE;
    return true;
}

/* Without memory to remember what it wants it gets all. */
static void remember(struct mpu_rank *r, struct mpu_hold *h, const struct mpu_wire *wire)
{
    struct mpu_arrival *a = wire->port & MPU_WANT_ALL ? NULL : mpu_alloc(r, sizeof *a);
    if (!a) {
        h->all = true;
        return;
    }
    a->wire.cookie = wire->cookie;
    a->order = h->order++;
    int tag = wire->port & MPU_WANT_ANY_TAG ? -1 : wire->tag;
    mpu_index_put(NULL, &h->fresh, a, key_of(wire->context, tag));
    h->forgets |= h->fresh.count + h->vain.count > 2 * (uint32_t)wire->size + SPARE;
}

void mpu_hold_wanted(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_hold *h = find(r, (int)a->wire.from);
    if (!h && !r->life.closing) {
        mpu_reply(r, a, MPU_OVER);
        return;
    }
    if (h) {
        h->asked = true;
        remember(r, h, &a->wire);
    }
    mpu_arrival_end(r, a);
    mpu_hold_next(r);
}

void mpu_hold_refused(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_asked_take(r, a->wire.cookie);
    if (!q || q->stage != MPU_FOUND_STAGE)
        mpu_fail(r, "received a refusal of no send of its own", B_EPROTO);
    struct mpu_hold *h = find(r, q->world);
    mpu_arrival_end(r, a);
    if (q->cancel)
        mpu_cancelled(q);
    else
        hold(r, h, q);
    drop_wants(r, h);
    mpu_hold_next(r);
}

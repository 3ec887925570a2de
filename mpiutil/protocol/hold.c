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
 *       |<-- WANT: context, source, tag, id --|
 *       | the first held one that fits        |
 *       |------------- FOUND: id ------------>|  still posted: as an RTS that it matches
 *       |<------------ REFUSED ---------------|  else: held again, where it was
 *       | holds no more, the window is open   |
 *       |------------- OVER ----------------->|  asks no more
 *
 * What nobody sent yet is remembered until it is, or until it is OVER. Of two messages that fit one
 * receive, none overtakes the other: while a FOUND is on its way, which may come back, nothing else
 * is announced but what others want that it does not fit.
 *
 * A receive may have ended otherwise. When there must be more such wants than others, all are
 * forgotten, and the receiver, told so by an OVER that says so, asks again for what is posted. */
#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/transport.h"

#define WINDOW_MIN 2
#define WINDOW_MAX 31 /* struct mpu_peer */
#define SPARE      64 /* wants that may be remembered without need */

struct want {
    struct want *next;
    struct mpu_wire w;
    bool vain; /* it was looked for: nothing that is held fits it */
};

/* One for each receiver at which the window is full or was, until nothing for it is held. */
struct mpu_hold {
    struct mpu_hold *next;
    int world;
    int found;                        /* on their way to it, unanswered */
    bool asked;                       /* it has asked for something */
    bool all;                         /* it wants all */
    bool forgets;                     /* what it wants, at the next occasion */
    struct mpu_request *first, **end; /* in the order of their cookies */
    struct want *wants, **wants_end;
    uint32_t remembered; /* wants */
};

int mpu_hold_window(const struct svc_job *job, int locals, size_t memory, size_t cell)
{
    size_t pairs = (size_t)svc_spawn_total(job) * (size_t)(locals ? locals : 1);
    size_t window = memory / 4 / cell / pairs;
    return window < WINDOW_MIN ? WINDOW_MIN : window > WINDOW_MAX ? WINDOW_MAX : (int)window;
}

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
    h->end = &h->first;
    h->wants_end = &h->wants;
    r->throttle.holds = h;
    return h;
}

static bool window_full(const struct mpu_rank *r, int world)
{
    return (int)r->credit.peers[world].announced >= r->cluster->announce;
}

static __attribute__((noinline)) bool fits(const struct mpu_request *q, const struct mpu_wire *w)
{
    return q->context == w->context &&
           ((w->port & MPU_WANT_ANY_SOURCE) || (uint32_t)q->source == w->source) &&
           ((w->port & MPU_WANT_ANY_TAG) || q->tag == w->tag);
}

/* It is held from now on, or again. */
static __attribute__((cold)) void look_for(struct mpu_hold *h, const struct mpu_request *q)
{
    for (struct want *w = h->wants; w; w = w->next)
        w->vain = w->vain && !fits(q, &w->w);
}

static void append(struct mpu_rank *r, struct mpu_hold *h, struct mpu_request *q)
{
    q->proto = mpu_announced_by(r, q);
    mpu_cookie(r, q);
    mpu_queue(&h->end, q);
    look_for(h, q);
    mpu_hold_next(r);
}

bool mpu_hold_some(const struct mpu_rank *r, int world)
{
    const struct mpu_hold *h = find(r, world);
    return h && (h->first || h->found);
}

bool mpu_hold_behind(struct mpu_rank *r, struct mpu_request *q)
{
    if (!r->throttle.holds || q->proto->id == MPU_PROTO_LAZY || !mpu_hold_some(r, q->world))
        return false;
    append(r, find(r, q->world), q);
    mpu_carried(r, q->proto->id, q->size);
    return true;
}

bool mpu_hold_full(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_hold *h = r->throttle.holds ? find(r, q->world) : NULL;
    if (!h || (!h->first && !h->found && (h->all || !window_full(r, q->world))))
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
    if (found || mpu_extras(r->cluster).answers)
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
    b_assert(q->stage != MPU_COUNTED_STAGE || r->credit.peers[q->world].announced > 0);
    b_assert(q->stage != MPU_FOUND_STAGE || find(r, q->world)->found > 0);
    if (q->stage == MPU_COUNTED_STAGE)
        r->credit.peers[q->world].announced--;
    if (q->stage == MPU_FOUND_STAGE)
        find(r, q->world)->found--;
    q->stage = MPU_NO_STAGE;
}

static void in_order(struct mpu_rank *r, struct mpu_hold *h)
{
    while (h->first && !h->found && !r->outbox.busy && (h->all || !window_full(r, h->world)))
        mpu_announce(r, mpu_unqueue(&h->first, &h->end), NULL);
}

/* What fits is on its way to another receive, and may come back. */
static bool may_return(const struct mpu_rank *r, const struct mpu_hold *h, const struct mpu_wire *w)
{
    const struct mpu_request *q = h->found ? r->unanswered.first : NULL;
    while (q && (q->stage != MPU_FOUND_STAGE || q->world != h->world || !fits(q, w)))
        q = q->next;
    return q != NULL;
}

static void drop(struct mpu_rank *r, struct mpu_hold *h, struct want **at)
{
    struct want *w = *at;
    *at = w->next;
    if (!w->next)
        h->wants_end = at;
    b_assert(h->remembered > 0);
    h->remembered--;
    mpu_free(r, w);
}

/* What fits two wants is for the first. */
static void by_want(struct mpu_rank *r, struct mpu_hold *h)
{
    for (struct want **at = &h->wants; *at && h->first && !r->outbox.busy;) {
        struct mpu_request **q = &h->first;
        if (may_return(r, h, &(*at)->w))
            return;
        while (!(*at)->vain && *q && !fits(*q, &(*at)->w))
            q = &(*q)->next;
        (*at)->vain |= !*q;
        if ((*at)->vain) {
            at = &(*at)->next;
            continue;
        }
        h->found++;
        mpu_announce(r, mpu_unqueue(q, &h->end), &(*at)->w);
        drop(r, h, at);
    }
}

/* more: others are still held. */
static void forget(struct mpu_rank *r, struct mpu_hold *h, bool more)
{
    while (h->wants)
        drop(r, h, &h->wants);
    h->forgets = false;
    if (h->asked && !r->life.closing)
        mpu_post_header(r, h->world, MPU_OVER, 0, 0, more);
}

void mpu_hold_next(struct mpu_rank *r)
{
    for (struct mpu_hold **at = &r->throttle.holds; *at && !r->outbox.busy;) {
        struct mpu_hold *h = *at;
        in_order(r, h);
        by_want(r, h);
        bool more = h->first || h->found || window_full(r, h->world);
        if (r->outbox.busy)
            return;
        if (!more || h->forgets)
            forget(r, h, more);
        if (more) {
            at = &h->next;
        } else {
            *at = h->next;
            mpu_free(r, h);
        }
    }
}

bool mpu_hold_cancel(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_hold *h = find(r, q->world);
    for (struct mpu_request **at = h ? &h->first : NULL; at && *at; at = &(*at)->next)
        if (*at == q) {
            mpu_unqueue(at, &h->end);
            return true;
        }
    return false;
}

bool mpu_hold_idle(const struct mpu_rank *r)
{
    const struct mpu_hold *h = r->throttle.holds;
    while (h && !h->first)
        h = h->next;
    return !h;
}

static bool known(const struct mpu_hold *h, uint32_t id)
{
    const struct want *w = h->wants;
    while (w && w->w.cookie != id)
        w = w->next;
    return w != NULL;
}

/* Without memory to remember what it wants it gets all. */
static void remember(struct mpu_rank *r, struct mpu_hold *h, const struct mpu_wire *wire)
{
    struct want *w = wire->port & MPU_WANT_ALL ? NULL : mpu_alloc(r, sizeof *w);
    if (!w) {
        h->all = true;
        return;
    }
    *w = (struct want){.w = *wire};
    *h->wants_end = w;
    h->wants_end = &w->next;
    h->forgets |= ++h->remembered > 2 * wire->size + SPARE;
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
        if ((a->wire.port & MPU_WANT_ALL) || !known(h, a->wire.cookie))
            remember(r, h, &a->wire);
    }
    mpu_arrival_end(r, a);
    mpu_hold_next(r);
}

void mpu_hold_refused(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_hold *h = find(r, (int)a->wire.from);
    int found = h ? h->found : 0;
    struct mpu_request *q = mpu_asked_take(r, a->wire.cookie);
    if (!q || !h || h->found == found)
        mpu_fail(r, "received a refusal of no send of its own", B_EPROTO);
    mpu_arrival_end(r, a);
    if (q->cancel) {
        mpu_cancelled(q);
    } else {
        struct mpu_request **at = &h->first;
        while (*at && (int32_t)((*at)->arrival.wire.cookie - q->arrival.wire.cookie) < 0)
            at = &(*at)->next;
        q->next = *at;
        *at = q;
        if (!q->next)
            h->end = &q->next;
        look_for(h, q);
    }
    mpu_hold_next(r);
}

/* SPDX-License-Identifier: MIT */
/* Long messages are announced by an RTS that takes its place in the order of messages; their bytes
 * move when the receiver has matched it and says so by an ALLOW, or by granting what the RTS
 * offered, or they have moved when it says so. How they move struct mpu_bulk says. */
#include <base/error.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/transport.h"

void mpu_announce(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *want)
{
    struct mpu_wire w = mpu_wire_of(r, q, want ? MPU_FOUND : MPU_RTS);
    if (want)
        w.context = want->cookie;
    w.port = r->cluster->set->bulk->offer(r, q, want != NULL);
    w.cookie = q->arrival.wire.cookie;
    w.last = mpu_hold_announced(r, q, want != NULL);
    const uint64_t at = (uintptr_t)q->buf;
    mpu_post(r, q->world, &w, &at, w.port == MPU_SHOWN_PORT ? sizeof at : 0);
    mpu_asked(r, q);
    r->cluster->set->bulk->go(r);
}

bool mpu_announce_start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    q->proto = mpu_announced_by(r, q);
    if (mpu_hold_full(r, q))
        return true;
    mpu_cookie(r, q);
    mpu_announce(r, q, NULL);
    return true;
}

struct mpu_request *mpu_withdraw(struct mpu_rank *r, uint32_t cookie)
{
    struct mpu_request *q = mpu_asked_take(r, cookie);
    return q && (!r->cluster->set->bulk->withdraw || r->cluster->set->bulk->withdraw(r, q)) ? q
                                                                                            : NULL;
}

void mpu_allowed(struct mpu_rank *r, struct mpu_arrival *a)
{
    const struct mpu_wire w = a->wire;
    struct mpu_request *q = mpu_withdraw(r, w.cookie);
    if (!q || w.size > q->size)
        mpu_fail(r, "received an answer to no send of its own", B_EPROTO);
    mpu_arrival_end(r, a);
    if (w.size || !q->size)
        r->cluster->set->bulk->allowed(r, q, &w);
    else
        mpu_finish(q, 0);
    r->cluster->set->bulk->go(r);
    mpu_hold_next(r);
}

/* Who announced its last one for now may hold others, of which one may be wanted. */
void mpu_announcement(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_expected(r, &a->wire, r);
    if (q) {
        mpu_proto_receive(r, q, a);
        return;
    }
    mpu_unexpected(r, a);
    if (a->origin == MPU_FROM_NET && a->wire.last)
        mpu_want_more(r, (int)a->wire.from);
}

const struct mpu_proto *mpu_announced_by(const struct mpu_rank *r, const struct mpu_request *q)
{
    return r->cluster->set->bulk->proto(r, q);
}

bool mpu_announced_idle(const struct mpu_rank *r)
{
    return !r->cluster->transport || (!r->throttle.holds && !r->unanswered.sends.count &&
                                      !r->replies.first && r->cluster->set->bulk->idle(r));
}

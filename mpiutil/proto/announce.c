/* SPDX-License-Identifier: MIT */
/* Long messages are announced by an RTS that takes its place in the order of messages; their bytes
 * move when the receiver has matched it and says so by an ALLOW, or by granting what the RTS
 * offered. How they move is the transport's (struct mpu_bulk). */
#include <base/error.h>

#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/hold.h"
#include "proto/proto.h"
#include "transport/transport.h"

static const struct mpu_bulk *bulk(const struct mpu_rank *r)
{
    return r->cluster->transport->bulk;
}

void mpu_announce(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *want)
{
    struct mpu_wire w = mpu_wire_of(r, q, want ? MPU_FOUND : MPU_RTS);
    if (want)
        w.context = want->cookie;
    w.port = bulk(r)->offer ? bulk(r)->offer(r, q, want != NULL) : MPU_NO_PORT;
    w.cookie = q->arrival.wire.cookie;
    w.last = mpu_hold_announced(r, q, want != NULL);
    mpu_post(r, q->world, &w, NULL, 0);
    mpu_queue(&r->asked_end, q);
    bulk(r)->go(r);
}

bool mpu_announce_start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox_busy)
        return false;
    if (mpu_hold_full(r, q))
        return true;
    mpu_cookie(r, q);
    mpu_announce(r, q, NULL);
    return true;
}

struct mpu_request *mpu_withdraw(struct mpu_rank *r, uint32_t cookie)
{
    struct mpu_request *q = mpu_asked_take(r, cookie);
    return q && (!bulk(r)->withdraw || bulk(r)->withdraw(r, q)) ? q : NULL;
}

void mpu_allowed(struct mpu_rank *r, struct mpu_arrival *a)
{
    const struct mpu_wire w = a->wire;
    struct mpu_request *q = mpu_withdraw(r, w.cookie);
    if (!q || w.size > q->size)
        mpu_fail(r, "received an answer to no send of its own", B_EPROTO);
    mpu_arrival_end(r, a);
    if (w.size || !q->size)
        bulk(r)->allowed(r, q, &w);
    else
        mpu_finish(q, 0);
    bulk(r)->go(r);
    mpu_hold_next(r);
}

const struct mpu_proto *mpu_announced_by(const struct mpu_rank *r, const struct mpu_request *q)
{
    return bulk(r)->proto(r, q);
}

bool mpu_announced_idle(const struct mpu_rank *r)
{
    return !r->cluster->transport ||
           (mpu_hold_idle(r) && !r->asked && !r->replies && bulk(r)->idle(r));
}

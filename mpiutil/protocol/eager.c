/* SPDX-License-Identifier: MIT */
/* eager: the payload travels with its header, whether or not it is expected (ho-2015, III.C.1).
 *
 *     sender                              receiver
 *       | header + payload                    |
 *       |------------------------------------>|  matched: copied to the receive buffer
 *       |  done once the transport took it    |  else: kept where it arrived, or in a cell
 *
 * For how many bytes, and whether the sender needs credit at the receiver or a cell, the transport
 * knows (mpu_goes_eager, transport.h: eager); what it refuses is announced. What waits in the
 * outbox keeps the order of everything the rank sends to other clusters. */
#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/transport.h"

static bool fits(const struct mpu_rank *r, const struct mpu_request *q)
{
    return mpu_goes_eager(r, q->size, q->streamed);
}

static bool applies(const struct mpu_rank *r, const struct mpu_request *q)
{
    return !q->sync && fits(r, q);
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    struct mpu_wire w = mpu_wire_of(r, q, q->sync ? MPU_SYNC : MPU_EAGER);
    if (q->sync)
        w.cookie = mpu_cookie(r, q);
    if (!r->cluster->transport->eager(r, q->world, &w, q->buf, q->streamed))
        return mpu_announce_start(r, q);
    if (q->sync)
        mpu_asked(r, q);
    else
        mpu_finish(q, 0);
    return true;
}

/* If the outbox is free and nothing waits for it. */
bool mpu_far_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                 const void *buf)
{
    int world = (int)(to - r->cluster->endpoint);
    if (w->kind == MPU_SYNC || !mpu_goes_eager(r, w->size, false) || r->outbox.busy ||
        r->outbox.first || (r->throttle.holds && mpu_hold_some(r, world)) ||
        !r->cluster->transport->eager(r, world, w, buf, false))
        return false;
    mpu_carried(r, MPU_PROTO_EAGER, w->size);
    return true;
}

/* Out of a cell, also of what a neighbour has sent (local-eager). */
static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    uint64_t size = a->wire.size;
    bool counted = a->origin == MPU_FROM_NET;
    mpu_store(q, 0, mpu_accept(q, &a->wire), mpu_payload(a));
    if (a->wire.kind == MPU_SYNC)
        mpu_reply(r, a, MPU_ACK);
    else
        mpu_arrival_end(r, a);
    mpu_received(q, size);
    if (counted)
        mpu_credit_owe(r, q->world, 1);
}

const struct mpu_proto mpu_eager = {.id = MPU_PROTO_EAGER,
                                    MPU_NAMED("eager"),
                                    .applies = applies,
                                    .start = start,
                                    .receive = receive};

/* eager-sync: the same for a send that is done only when it was matched (MPI_Ssend).
 *
 *       | header + payload                    |
 *       |------------------------------------>|  matched
 *       |<-------------- ACK -----------------|
 */
const struct mpu_proto mpu_eager_sync = {.id = MPU_PROTO_EAGER_SYNC,
                                         MPU_NAMED("eager-sync"),
                                         .applies = fits, /* eager takes the others */
                                         .start = start};

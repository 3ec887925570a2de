/* SPDX-License-Identifier: MIT */
/* local-direct: between ranks of one core. While the sender runs the receiver does not, so the
 * sender looks itself whether the message is expected, and copies it where it belongs.
 *
 *     sender                            receiver, waiting
 *       | matches its posted receives      |
 *       | copies buffer to buffer -------->|  done
 *
 * A message that nobody asked for yet goes by local-eager or local-copy into the receiver's list of
 * unexpected ones. */
#include "protocol/protocol.h"

bool mpu_core_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                  const void *buf)
{
    struct mpu_rank *receiver = &r->cluster->ranks[to->here];
    struct mpu_request *q = mpu_expected(receiver, w, r);
    uint64_t n = w->size;
    if (q) {
        mpu_receive_now(q, w, buf);
        mpu_carried(r, MPU_PROTO_LOCAL_DIRECT, n);
        return true;
    }
    if (w->kind == MPU_SYNC || n > r->tune[MPU_TUNE_LOCAL_LIMIT] || !mpu_local_leave(r, to, w, buf))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

/* What could not go at once for another reason than that there is no cell. */
static bool applies(const struct mpu_rank *r, const struct mpu_request *q)
{
    return !q->streamed && (q->sync || q->size > r->tune[MPU_TUNE_LOCAL_LIMIT]);
}

/* No receive is posted for it: mpu_core_now has just looked. */
static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    q->proto = &mpu_local_copy;
    q->arrival.origin = MPU_FROM_REQUEST;
    q->arrival.wire = mpu_wire_of(r, q, MPU_LOCAL);
    mpu_unexpected(mpu_neighbour(r, q->world), &q->arrival);
    return true;
}

const struct mpu_proto mpu_local_direct = {.id = MPU_PROTO_LOCAL_DIRECT,
                                           MPU_NAMED("local-direct"),
                                           .inside = true,
                                           .applies = applies,
                                           .start = start};

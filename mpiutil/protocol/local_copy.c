/* SPDX-License-Identifier: MIT */
/* local-copy: between ranks of one cluster, any size: the receiver copies once, straight from the
 * sender's buffer, and tells the sender (uller-2021, 5.7.4).
 *
 *     sender                            receiver
 *       | its request, with the address    |
 *       |------------- ring -------------->|  matched: copies
 *       |<------------ done, ring ---------|
 */
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/lane.h"

/* From the push on the receiver may read and finish the request. */
static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    q->arrival.origin = MPU_FROM_REQUEST;
    q->arrival.wire = mpu_wire_of(r, q, MPU_LOCAL);
    mpu_local_push(r, q->world, &q->arrival);
    return true;
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    uint64_t size = a->wire.size;
    mpu_copy_from(q, mpu_request_of(a), mpu_accept(q, &a->wire));
    mpu_arrival_end(r, a);
    mpu_received(q, size);
}

const struct mpu_proto mpu_local_copy = {.id = MPU_PROTO_LOCAL_COPY,
                                         MPU_NAMED("local-copy"),
                                         .inside = true,
                                         .start = start,
                                         .receive = receive};

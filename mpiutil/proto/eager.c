/* SPDX-License-Identifier: MIT */
/* eager: the payload travels with its header in one mailbox message, whether or not it is expected
 * (ho-2015, III.C.1).
 *
 *     sender                          receiver
 *       | header + payload (<= 128 B)    |
 *       |------------------------------->|  matched: copied to the receive buffer
 *       |  done once the kernel took it  |  else: kept in a cell
 *
 * The sender is done when its outbox has the message; the outbox is free again when the receiving
 * kernel stored it, and keeps the order of everything the rank sends. */
#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/proto.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return !local && q->size <= r->cluster->info.eager_limit && q->size <= MPU_EAGER_MAX;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox_busy)
        return false;
    struct mpu_wire w = mpu_wire_of(r, q, MPU_EAGER);
    mpu_post(r, q->world, &w, q->buf, q->size);
    mpu_finish(q, 0);
    return true;
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    uint64_t size = a->wire.size;
    uint64_t n = mpu_accept(q, &a->wire);
    if (n)
        k_copy(q->buf, mpu_payload(a), n);
    mpu_arrival_end(r, a);
    mpu_finish(q, mpu_accepted(q, size));
}

const struct mpu_proto mpu_eager = {.name = "eager",
                                    .messages = "eager.messages",
                                    .bytes = "eager.bytes",
                                    .applies = applies,
                                    .start = start,
                                    .receive = receive};

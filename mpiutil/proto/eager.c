/* SPDX-License-Identifier: MIT */
/* eager: the payload travels with its header in one mailbox message, whether or not it is
 * expected (ho-2015, III.C.1).
 *
 *     sender                          receiver
 *       | header + payload (<= 128 B)    |
 *       |------------------------------->|  matched: copied to the receive buffer
 *       |  done once the kernel took it  |  else: kept in a cell
 *
 * The sender must have credit at the receiver; without, the message goes by rendezvous. It is
 * done when its outbox has the message; the outbox is free again when the receiving kernel
 * stored it, and keeps the order of everything the rank sends. */
#include "progress/credit.h"
#include "progress/progress.h"
#include "proto/proto.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return !local && !q->sync && q->size <= r->cluster->info.eager_limit &&
           q->size <= MPU_EAGER_MAX;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox_busy)
        return false;
    if (!mpu_credit_spend(r, q->world)) {
        q->proto = &mpu_rendezvous;
        return q->proto->start(r, q);
    }
    struct mpu_wire w = mpu_wire_of(r, q, MPU_EAGER);
    mpu_post(r, q->world, &w, q->buf, q->size);
    mpu_finish(q, 0);
    return true;
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    mpu_cell_receive(r, q, a);
    mpu_credit_owe(r, q->world);
}

const struct mpu_proto mpu_eager = {.name = "eager",
                                    .messages = "eager.messages",
                                    .bytes = "eager.bytes",
                                    .applies = applies,
                                    .start = start,
                                    .receive = receive};

/* SPDX-License-Identifier: MIT */
/* local-eager: between ranks of one cluster, and to itself: the sender copies a small message
 * into a cell of its own and is done.
 *
 *     sender                    receiver
 *       | copy into a cell         |
 *       |------- inbox ----------->|  copy out of the cell
 *       |<------ the cell ---------|
 *
 * When as many cells as the sender may have are under way, the message goes by local-copy, whose
 * sender waits: flow control. */
#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/proto.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return local && !q->sync && q->size <= r->tune[MPU_TUNE_LOCAL_LIMIT];
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_wire w = mpu_wire_of(r, q, MPU_EAGER);
    if (!mpu_same_core(r, q->world) && mpu_lane_message(r, q->world, &w, q->buf)) {
        mpu_finish(q, 0);
        return true;
    }
    struct mpu_cell *cell = mpu_cell_take_local(r);
    if (!cell) {
        q->proto = &mpu_local_copy;
        return q->proto->start(r, q);
    }
    cell->a.wire = w;
    if (q->size)
        mpu_move(r->cluster, cell->payload, q->buf, q->size);
    mpu_local_push(r, q->world, &cell->a);
    mpu_finish(q, 0);
    return true;
}

const struct mpu_proto mpu_local_eager = {.id = MPU_PROTO_LOCAL_EAGER,
                                          .name = "local-eager",
                                          .messages = "local-eager.messages",
                                          .bytes = "local-eager.bytes",
                                          .inside = true,
                                          .applies = applies,
                                          .start = start,
                                          .receive = mpu_cell_receive};

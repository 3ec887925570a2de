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
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/lane.h"

/* On the same core `to` has no receive for it; but to take the first cell of a page may let `to`
 * run. */
bool mpu_local_leave(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                     const void *buf)
{
    bool stays = r->cells.local && to->core == r->core;
    struct mpu_cell *cell = mpu_cell_take_local(r);
    if (!cell)
        return false;
    cell->a.wire = *w;
    if (w->size)
        mpu_move(r->cluster, cell->payload, buf, w->size);
    if (stays)
        mpu_unexpected(&r->cluster->ranks[to->here], &cell->a);
    else
        mpu_local_push(r, mpu_endpoint_rank(r, to), &cell->a);
    return true;
}

bool mpu_cluster_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                     const void *buf)
{
    uint64_t n = w->size;
    if (w->kind == MPU_SYNC || n > r->tune[MPU_TUNE_LOCAL_LIMIT] ||
        (!mpu_lane_message(r, to, w, buf) && !mpu_local_leave(r, to, w, buf)))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

const struct mpu_proto mpu_local_eager = {
    .id = MPU_PROTO_LOCAL_EAGER, MPU_NAMED("local-eager"), .receive = mpu_cell_receive};

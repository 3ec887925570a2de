/* SPDX-License-Identifier: MIT */
/* The protocols between ranks of one cluster.
 *
 * local-direct: on one core. While the sender runs the receiver does not, so the sender looks
 * itself whether the message is expected, and copies it where it belongs.
 *
 *     sender                            receiver, waiting
 *       | matches its posted receives      |
 *       | copies buffer to buffer -------->|  done
 *
 * local-eager: to the others, and where nobody asked for it yet: the sender copies a small message
 * into a cell of its own and is done.
 *
 *     sender                    receiver
 *       | copy into a cell         |
 *       |------- inbox ----------->|  copy out of the cell
 *       |<------ the cell ---------|
 *
 * local-copy: any size, also when as many cells as the sender may have are under way (flow
 * control): the receiver copies once, straight from the sender's buffer, and tells the sender
 * (uller-2021, 5.7.4).
 *
 *     sender                            receiver
 *       | its request, with the address    |
 *       |------------- ring -------------->|  matched: copies
 *       |<------------ done, ring ---------|
 */
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/lane.h"

/* The message into a cell and on to its receiver; false: there is no cell. On the same core `to`
 * has no receive for it; but to take the first cell of a page may let `to` run. */
static bool leave(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                  const void *buf)
{
    bool stays = r->cells.local && to->core == r->core;
    struct mpu_cell *cell = mpu_cell_take_local(r, false);
    if (!cell)
        return false;
    cell->a.wire = *w;
    if (w->size)
        mpu_move(r->cluster, cell->payload, buf, w->size);
    if (stays)
        mpu_unexpected(&r->cluster->ranks[to->here], &cell->a);
    else
        mpu_local_push(r, to, &cell->a);
    return true;
}

/* Whether a send of n bytes may be copied into a cell. */
static inline bool is_eager(const struct mpu_rank *r, bool sync, uint64_t n)
{
    return !sync && n <= r->tune[MPU_TUNE_LOCAL_LIMIT];
}

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
    if (!is_eager(r, w->kind == MPU_SYNC, n) || !leave(r, to, w, buf))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

bool mpu_cluster_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                     const void *buf)
{
    uint64_t n = w->size;
    if (!is_eager(r, w->kind == MPU_SYNC, n) ||
        (!mpu_lane_message(r, to, w, buf) && !leave(r, to, w, buf)))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

/* On the same core mpu_core_now has just seen that no receive is posted, unless it was not asked,
 * or tried to take a cell and let others run. From the push on the receiver may read and finish the
 * request. */
static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    const struct mpu_endpoint *to = &r->cluster->endpoint[q->world];
    bool seen = to->core == r->core && !q->streamed && !is_eager(r, q->sync, q->size);
    q->arrival.origin = MPU_FROM_REQUEST;
    q->arrival.wire = mpu_wire_of(r, q, MPU_LOCAL);
    if (seen)
        mpu_unexpected(&r->cluster->ranks[to->here], &q->arrival);
    else
        mpu_local_push(r, to, &q->arrival);
    return true;
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    uint64_t size = a->wire.size;
    mpu_copy_from(q, mpu_request_of(a), mpu_accept(q, &a->wire));
    mpu_arrival_end(r, a);
    mpu_received(q, size);
}

const struct mpu_proto mpu_local_direct = {.id = MPU_PROTO_LOCAL_DIRECT, MPU_NAMED("local-direct")};

const struct mpu_proto mpu_local_eager = {.id = MPU_PROTO_LOCAL_EAGER, MPU_NAMED("local-eager")};

const struct mpu_proto mpu_local_copy = {
    .id = MPU_PROTO_LOCAL_COPY, MPU_NAMED("local-copy"), .start = start, .receive = receive};

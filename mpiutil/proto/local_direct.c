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
#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/proto.h"
#include "transport/transport.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return local && !q->streamed && mpu_same_core(r, q->world);
}

static inline struct mpu_wire header(const struct mpu_letter *l, enum mpu_kind kind)
{
    return (struct mpu_wire){.kind = (uint8_t)kind,
                             .context = l->context,
                             .source = l->source,
                             .tag = l->tag,
                             .from = l->from,
                             .marked = l->marked};
}

/* Whether a receive posted at `to` takes the message; then that is done. */
static bool direct(struct mpu_rank *r, struct mpu_rank *to, const struct mpu_letter *l,
                   const void *buf)
{
    uint64_t before = to->match.compared;
    struct mpu_request *m = mpu_match_quickly(&to->match, l->context, l->source, l->tag);
    mpu_charge_match(r, &to->match, before);
    if (m)
        mpu_receive_now(m, l, buf);
    return m != NULL;
}

/* The message into a cell. On the same core `to` has no receive for it; but to take the first cell
 * of a page may let `to` run. False: there is no cell. */
static bool leave(struct mpu_rank *r, int to, const struct mpu_letter *l, const void *buf)
{
    bool stays = r->cells_local != NULL && mpu_same_core(r, to);
    struct mpu_cell *cell = mpu_cell_take_local(r);
    uint64_t n = l->marked & MPU_BYTES_MOST;
    if (!cell)
        return false;
    cell->a.wire = header(l, MPU_EAGER);
    if (n)
        mpu_move(r->cluster, cell->payload, buf, n);
    if (stays)
        mpu_unexpected(mpu_neighbour(r, to), &cell->a);
    else
        mpu_local_push(r, to, &cell->a);
    return true;
}

/* To another core. */
static bool send_away(struct mpu_rank *r, int to, const struct mpu_letter *l, const void *buf)
{
    uint64_t n = l->marked & MPU_BYTES_MOST;
    struct mpu_wire w = header(l, MPU_EAGER);
    if (!mpu_neighbour(r, to))
        return n <= mpu_eager_limit(r) && mpu_eager_now(r, to, &w, buf);
    if (n > r->tune[MPU_TUNE_LOCAL_LIMIT] ||
        (!mpu_lane_message(r, to, &w, buf) && !leave(r, to, l, buf)))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

/* With a trace each message is launched as others are, which shows it. */
bool mpu_send_now(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
                  uint64_t n)
{
    int world = mpu_comm_world(c, to);
    const struct mpu_letter l = {c->context, (uint32_t)c->rank, tag, (uint32_t)r->number, n};
    if (!r->direct)
        return false;
    if (!mpu_same_core(r, world))
        return send_away(r, world, &l, buf);
    n &= MPU_BYTES_MOST;
    if (direct(r, mpu_neighbour(r, world), &l, buf)) {
        mpu_carried(r, MPU_PROTO_LOCAL_DIRECT, n);
        return true;
    }
    if (n > r->tune[MPU_TUNE_LOCAL_LIMIT] || !leave(r, world, &l, buf))
        return false;
    mpu_carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

/* Cold: most messages go by mpu_send_now. */
static __attribute__((cold)) bool start(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_rank *to = mpu_neighbour(r, q->world);
    const struct mpu_letter l = {q->context, (uint32_t)q->source, q->tag, (uint32_t)r->number,
                                 mpu_marked(q->size, q->mark)};
    if (direct(r, to, &l, q->buf)) {
        mpu_finish(q, 0);
        return true;
    }
    bool eager = mpu_local_eager.applies(r, q, true);
    if (eager && leave(r, q->world, &l, q->buf)) {
        q->proto = &mpu_local_eager;
        mpu_finish(q, 0);
        return true;
    }
    q->proto = &mpu_local_copy;
    if (eager)
        return q->proto->start(r, q);
    q->arrival.origin = MPU_FROM_REQUEST;
    q->arrival.wire = header(&l, MPU_LOCAL);
    mpu_unexpected(to, &q->arrival);
    return true;
}

const struct mpu_proto mpu_local_direct = {.id = MPU_PROTO_LOCAL_DIRECT,
                                           .name = "local-direct",
                                           .messages = "local-direct.messages",
                                           .bytes = "local-direct.bytes",
                                           .inside = true,
                                           .applies = applies,
                                           .start = start};

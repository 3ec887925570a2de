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
#include "progress/lane.h"
#include "progress/progress.h"
#include "proto/proto.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return local && !q->streamed && mpu_core_of(r, q->world) == r->core;
}

/* What a sender says of its message. */
struct letter {
    uint32_t context, source;
    int tag;
    uint64_t marked; /* its bytes: mpu_marked */
    const void *buf;
};

static inline struct mpu_wire header(const struct mpu_rank *r, const struct letter *l,
                                     enum mpu_kind kind)
{
    return (struct mpu_wire){.kind = (uint8_t)kind,
                             .context = l->context,
                             .source = l->source,
                             .tag = l->tag,
                             .from = (uint32_t)r->number,
                             .marked = l->marked};
}

/* Whether a receive posted at `to` takes the message; then that is done. */
static inline bool direct(struct mpu_rank *r, struct mpu_rank *to, const struct letter *l)
{
    uint64_t before = to->match.compared;
    struct mpu_request *m = mpu_match_quickly(&to->match, l->context, l->source, l->tag);
    mpu_charge_match(r, &to->match, before);
    if (!m)
        return false;
    struct mpu_wire w = header(r, l, MPU_LOCAL);
    mpu_receive_now(m, &w, l->buf);
    return true;
}

static inline void carried(struct mpu_rank *r, enum mpu_proto_id id, uint64_t n)
{
    r->carried[id].messages++;
    r->carried[id].bytes += n;
}

/* The message for which `to` has no receive into a cell. To take the first cell of a page may let
 * `to` run. False: there is no cell. */
static bool leave(struct mpu_rank *r, int to, const struct letter *l)
{
    bool stays = r->cells_local != NULL;
    struct mpu_cell *cell = mpu_cell_take_local(r);
    uint64_t n = l->marked & MPU_BYTES_MOST;
    if (!cell)
        return false;
    cell->a.wire = header(r, l, MPU_EAGER);
    if (n)
        mpu_move(r->cluster, cell->payload, l->buf, n);
    if (stays)
        mpu_unexpected(mpu_neighbour(r, to), &cell->a);
    else
        mpu_local_push(r, to, &cell->a);
    return true;
}

/* With a trace each message is launched as others are, which shows it. */
bool mpu_send_now(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
                  uint64_t n)
{
    int world = mpu_comm_world(c, to);
    struct mpu_rank *neighbour = mpu_neighbour(r, world);
    if (!r->direct)
        return false;
    struct letter l = {c->context, (uint32_t)c->rank, tag, n, buf};
    n &= MPU_BYTES_MOST;
    if (!neighbour || mpu_core_of(r, world) != r->core) {
        struct mpu_wire w = header(r, &l, MPU_EAGER);
        if (n > r->tune[MPU_TUNE_EAGER_LIMIT])
            return false;
        if (!neighbour)
            return mpu_eager_now(r, world, &w, buf);
        if (!mpu_lane_message(r, world, &w, buf))
            return false;
    } else if (direct(r, neighbour, &l)) {
        carried(r, MPU_PROTO_LOCAL_DIRECT, n);
        return true;
    } else if (n > r->tune[MPU_TUNE_EAGER_LIMIT] || !leave(r, world, &l)) {
        return false;
    }
    carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

/* Cold: most messages go by mpu_send_now. */
static __attribute__((cold)) bool start(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_rank *to = mpu_neighbour(r, q->world);
    struct letter l = {q->context, (uint32_t)q->source, q->tag, mpu_marked(q->size, q->mark),
                       q->buf};
    if (direct(r, to, &l)) {
        mpu_finish(q, 0);
        return true;
    }
    bool eager = mpu_local_eager.applies(r, q, true);
    if (eager && leave(r, q->world, &l)) {
        q->proto = &mpu_local_eager;
        mpu_finish(q, 0);
        return true;
    }
    q->proto = &mpu_local_copy;
    if (eager)
        return q->proto->start(r, q);
    q->arrival.origin = MPU_FROM_REQUEST;
    q->arrival.wire = header(r, &l, MPU_LOCAL);
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

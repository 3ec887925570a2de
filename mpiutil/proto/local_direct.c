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

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    return local && !q->streamed && mpu_neighbour(r, q->world)->core == r->core;
}

bool mpu_direct(struct mpu_rank *r, struct mpu_rank *to, const struct mpu_wire *w, const void *buf)
{
    uint64_t before = to->match.compared;
    struct mpu_request *m = mpu_match_posted(&to->match, w);
    mpu_charge_match(r, to->match.compared - before);
    if (!m)
        return false;
    mpu_store(m, 0, mpu_accept(m, w), buf);
    mpu_finish(m, mpu_accepted(m, w->size));
    return true;
}

static void carried(struct mpu_rank *r, enum mpu_proto_id id, uint64_t n)
{
    r->carried[id].messages++;
    r->carried[id].bytes += n;
}

/* With a trace each message is launched as others are, which shows it. */
bool mpu_send_now(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
                  uint64_t n)
{
    struct mpu_rank *neighbour = mpu_neighbour(r, mpu_comm_world(c, to));
    bool direct = r->cluster->set->proto[0] == &mpu_local_direct;
    if (!direct || !neighbour || neighbour->core != r->core || r->cluster->traced)
        return false;
    struct mpu_wire w = {.kind = MPU_LOCAL,
                         .context = c->context,
                         .source = (uint32_t)c->rank,
                         .tag = tag,
                         .from = (uint32_t)r->number,
                         .size = n & MPU_BYTES_MOST,
                         .mark = mpu_mark_of(n)};
    n = w.size;
    if (mpu_direct(r, neighbour, &w, buf)) {
        carried(r, MPU_PROTO_LOCAL_DIRECT, n);
        return true;
    }
    struct mpu_cell *cell = n <= r->tune[MPU_TUNE_EAGER_LIMIT] ? mpu_cell_take_local(r) : NULL;
    if (!cell)
        return false;
    w.kind = MPU_EAGER;
    cell->a.wire = w;
    if (n)
        k_copy(cell->payload, buf, n);
    mpu_local_push(r, neighbour, &cell->a);
    carried(r, MPU_PROTO_LOCAL_EAGER, n);
    return true;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_wire w = mpu_wire_of(r, q, MPU_LOCAL);
    if (!mpu_direct(r, mpu_neighbour(r, q->world), &w, q->buf)) {
        q->proto = mpu_local_eager.applies(r, q, true) ? &mpu_local_eager : &mpu_local_copy;
        return q->proto->start(r, q);
    }
    mpu_finish(q, 0);
    return true;
}

const struct mpu_proto mpu_local_direct = {.id = MPU_PROTO_LOCAL_DIRECT,
                                           .name = "local-direct",
                                           .messages = "local-direct.messages",
                                           .bytes = "local-direct.bytes",
                                           .inside = true,
                                           .applies = applies,
                                           .start = start};

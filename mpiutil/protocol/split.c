/* SPDX-License-Identifier: MIT */
/* eager-split: as eager, for messages of a few times the size: the payload travels in pieces, each
 * with a header (ho-2015, III.C.1).
 *
 *     sender                          receiver
 *       | SPLIT, first 96 bytes          |  kept in a cell
 *       |------------------------------->|
 *       | PIECE, next bytes              |  kept in a cell
 *       |------------------------------->|
 *       |  done                          |  the last one: the message has arrived as a whole,
 *                                        |  and is matched
 *
 * The pieces of a message leave one after the other, with nothing between them but answers, so a
 * receiver has at most one such message of each sender under way, and the order of messages is that
 * of their last pieces. The sender must have credit for all pieces; without, the message goes by
 * rendezvous. */
#include <base/assert.h>
#include <base/error.h>

#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/transport.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q)
{
    return !q->sync && q->size <= r->tune[MPU_TUNE_SPLIT_LIMIT];
}

static int pieces(uint64_t size)
{
    return (int)((size + MPU_EAGER_MAX - 1) / MPU_EAGER_MAX);
}

static void post(struct mpu_rank *r, struct mpu_request *q)
{
    uint64_t left = q->size - q->count;
    size_t n = left < MPU_EAGER_MAX ? (size_t)left : MPU_EAGER_MAX;
    struct mpu_wire w = mpu_wire_of(r, q, q->count ? MPU_PIECE : MPU_SPLIT);
    if (q->count)
        w.size = n;
    mpu_post(r, q->world, &w, q->buf + q->count, n);
    q->count += n;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    if (q->count == 0 && !mpu_credit_spend(r, q->world, pieces(q->size)))
        return mpu_announce_start(r, q);
    while (!r->outbox.busy && q->count < q->size)
        post(r, q);
    if (q->count < q->size)
        return false;
    mpu_finish(q, 0);
    return true;
}

int mpu_credit_of(const struct mpu_arrival *a)
{
    if (a->origin != MPU_FROM_NET)
        return 0;
    return a->wire.kind == MPU_SPLIT                               ? pieces(a->wire.size)
           : a->wire.kind == MPU_EAGER || a->wire.kind == MPU_SYNC ? 1
                                                                   : 0;
}

/* Receiver ------------------------------------------------------------------------------------- */

static void complete(struct mpu_rank *r, struct mpu_arrival **at)
{
    struct mpu_arrival *first = *at;
    b_assert(first->here <= first->wire.size);
    if (first->here < first->wire.size)
        return;
    *at = first->next;
    mpu_deliver(r, first);
}

static struct mpu_arrival **partial_of(struct mpu_rank *r, uint32_t from)
{
    struct mpu_arrival **at = &r->partial;
    while (*at && (*at)->wire.from != from)
        at = &(*at)->next;
    return at;
}

static void first(struct mpu_rank *r, struct mpu_arrival *a)
{
    if (*partial_of(r, a->wire.from))
        mpu_fail(r, "received a message before the end of the one before", B_EPROTO);
    a->more = NULL;
    a->here = a->wire.size < MPU_EAGER_MAX ? (uint32_t)a->wire.size : MPU_EAGER_MAX;
    a->next = r->partial;
    r->partial = a;
    complete(r, &r->partial);
}

static void piece(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_arrival **at = partial_of(r, a->wire.from), *first = *at;
    if (!first || a->wire.size != (first->wire.size - first->here < MPU_EAGER_MAX
                                       ? first->wire.size - first->here
                                       : MPU_EAGER_MAX))
        mpu_fail(r, "received a piece of no message", B_EPROTO);
    first->here += (uint32_t)a->wire.size;
    a->more = first->more;
    first->more = a;
    complete(r, at);
}

static void copy(struct mpu_request *q, uint64_t offset, const struct mpu_arrival *a)
{
    if (offset >= q->count)
        return;
    uint64_t left = q->count - offset;
    mpu_store(q, offset, left < MPU_EAGER_MAX ? left : MPU_EAGER_MAX, mpu_payload(a));
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    uint64_t size = a->wire.size;
    int n = pieces(size);
    mpu_accept(q, &a->wire);
    copy(q, 0, a);
    for (int i = n - 1; i > 0; i--) {
        struct mpu_arrival *piece = a->more;
        b_assert(piece);
        a->more = piece->more;
        copy(q, (uint64_t)i * MPU_EAGER_MAX, piece);
        mpu_arrival_end(r, piece);
    }
    mpu_arrival_end(r, a);
    mpu_received(q, size);
    mpu_credit_owe(r, q->world, n);
}

const struct mpu_proto mpu_split = {.id = MPU_PROTO_SPLIT,
                                    MPU_NAMED("eager-split"),
                                    .applies = applies,
                                    .start = start,
                                    .receive = receive};

void mpu_split_arrived(struct mpu_rank *r, struct mpu_arrival *a)
{
    if (a->wire.kind == MPU_SPLIT)
        first(r, a);
    else
        piece(r, a);
}

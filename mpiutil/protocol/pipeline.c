/* SPDX-License-Identifier: MIT */
/* Long messages between clusters that share memory.
 *
 * single copy: the sender shows where its bytes lie, and the receiver copies them from there with
 * the system's help. Nothing of the sender is needed meanwhile.
 *
 *     sender                              receiver
 *       | RTS: size, address                  |
 *       |------------------------------------>|  matched: copies
 *       |<-- ALLOW: nothing more -------------|
 *       |  done                               |  done
 *
 * pipeline: where the sender shows nothing (its message is too short for that to be faster, or not
 * in one piece), the receiver wants it bit by bit, several come to it and their senders share
 * processors, more is coming in a row than caches hold, or the system refuses, through cells of
 * shared memory (shared/slab.h). Both sides copy at the same time: the sender fills the next cells
 * while the receiver empties those before, and the cells stay in the caches of both.
 *
 *     sender                              receiver
 *       | RTS: size                           |
 *       |------------------------------------>|  matched
 *       |<-- ALLOW: so many bytes, 8 pieces --|
 *       | PIECE, PIECE, ... in cells          |
 *       |====================================>|  copies, gives the cells back
 *       |<-- MORE: 4 pieces ------------------|
 *       | PIECE, ...                          |
 *       |====================================>|
 *       |  done: the last one is filled       |  done
 *
 * Pieces of a message come in their order. A sender without cells waits until one comes back; who
 * reads slowly holds half of them, and no more. */
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_board.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/lane.h"
#include "transport/memory.h"
#include "transport/transport.h"

#define LONG 32768 /* a message that is worth a look at what comes behind it */

/* Bytes of each piece but the last one: what a cell for them holds. */
static uint64_t piece_bytes(const struct mpu_rank *r)
{
    return r->cluster->places.shape.piece;
}

/* Pieces of a message that may be under way: half the cells that its sender has for all. */
static uint32_t window(const struct mpu_rank *r)
{
    return r->cluster->places.shape.size[MPU_SLAB_PIECES].count / 2;
}

/* Sender --------------------------------------------------------------------------------------- */

static uint16_t offer(struct mpu_rank *r, struct mpu_request *q, bool found)
{
    (void)found;
    return !q->streamed && mpu_single_copy(r, q->size) ? MPU_SHOWN_PORT : MPU_NO_PORT;
}

/* True: all that may go of this one has. */
static bool send_pieces(struct mpu_rank *r, struct mpu_request *q)
{
    for (; q->piece > 0 && q->moved < q->count; q->piece--) {
        uint64_t left = q->count - q->moved, most = piece_bytes(r), n = left < most ? left : most;
        struct mpu_wire w = {.kind = MPU_PIECE,
                             .from = (uint32_t)r->number,
                             .cookie = q->arrival.wire.cookie,
                             .size = n};
        if (r->outbox.busy ||
            !mpu_memory_send_piece(r, q->world, &w, q->buf, q->streamed, q->moved))
            return false;
        q->moved += n;
    }
    return true;
}

static void go(struct mpu_rank *r)
{
    for (struct mpu_request **at = &r->rendezvous.allowed; *at;) {
        struct mpu_request *q = *at;
        if (!send_pieces(r, q))
            return;
        if (q->moved < q->count) {
            at = &q->next;
            continue;
        }
        mpu_unqueue(at, &r->rendezvous.allowed_end);
        mpu_finish(q, 0);
    }
}

static void allowed(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *w)
{
    q->count = w->size;
    q->piece = (uint32_t)w->tag;
    mpu_queue(&r->rendezvous.allowed_end, q);
}

void mpu_pipeline_more(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = r->rendezvous.allowed;
    while (q && q->arrival.wire.cookie != a->wire.cookie)
        q = q->next;
    if (!q || (uint32_t)a->wire.tag > window(r))
        mpu_fail(r, "received an answer to no send of its own", B_EPROTO);
    q->piece += (uint32_t)a->wire.tag;
    mpu_arrival_end(r, a);
    go(r);
}

/* Receiver ------------------------------------------------------------------------------------- */

/* More than the rank's part of the caches has come, or is coming, since nothing was. The setting is
 * of two ranks, of which one receives; where there are more, all may. */
static bool much_is_coming(const struct mpu_rank *r)
{
    return r->rendezvous.coming * (uint64_t)mpu_ranks(r) > 2ull * r->tune[MPU_TUNE_CACHED_BYTES];
}

static void received(struct mpu_request *q)
{
    struct mpu_rank *r = q->rank;
    if (!r->rendezvous.matched && !r->rendezvous.reading && !mpu_lane_more(r))
        r->rendezvous.coming = 0;
    mpu_received(q, q->arrival.wire.size);
}

/* Whether the receiver should copy by itself. Where ranks share processors those that send to it
 * can fill cells meanwhile, and need not wait until it is at theirs. */
static bool alone_is_faster(const struct mpu_rank *r)
{
    bool others = r->rendezvous.matched || r->rendezvous.reading;
    return !much_is_coming(r) && !(others && r->cluster->info.oversubscribed);
}

/* False: the bytes must come through cells. */
static bool copied(struct mpu_rank *r, const struct mpu_request *q, const struct mpu_arrival *a)
{
    uint64_t at;
    if (a->wire.port != MPU_SHOWN_PORT || q->streamed || !alone_is_faster(r))
        return false;
    memcpy(&at, mpu_payload(a), sizeof at);
    int rc = k_board_read(r->cluster->endpoint[q->world].cluster, at, q->buf, q->count);
    if (rc == -B_ENOSYS) /* nor will the system help those to whom this rank sends */
        r->tune[MPU_TUNE_SINGLE_COPY] = UINT32_MAX;
    return rc == 0;
}

/* A matched receive waits in r->rendezvous.matched, with its announcement, until what has come
 * behind that has been looked at, unless it is short: how much is coming says how it is best
 * moved. */
static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    mpu_accept(q, &a->wire);
    q->arrival.wire = a->wire;
    q->arrival.more = a;
    q->piece = 0;
    if (q->buf != r->rendezvous.last) /* else it takes the place of that one */
        r->rendezvous.coming += q->count;
    r->rendezvous.last = q->buf;
    mpu_queue(&r->rendezvous.matched_end, q);
    if (mpu_lane_more(r) && q->count >= LONG)
        k_bell_ring(&r->bell, K_BELL_KERNEL);
    else
        r->cluster->set->bulk->next(r);
}

static void allow(struct mpu_rank *r, struct mpu_request *q, enum mpu_kind kind, uint32_t pieces)
{
    struct mpu_wire w = {.kind = (uint8_t)kind,
                         .tag = (int32_t)pieces,
                         .from = (uint32_t)r->number,
                         .cookie = q->arrival.wire.cookie,
                         .size = q->count};
    mpu_post(r, q->world, &w, NULL, 0);
}

/* The sender waits for leave to send more, or will, and half a window was taken. */
static bool wants_more(const struct mpu_request *q)
{
    uint32_t w = window(q->rank);
    uint64_t allowed_so_far = q->moved + (w - q->piece) * piece_bytes(q->rank);
    return 2 * q->piece >= w && allowed_so_far < q->count;
}

/* A receive whose bytes come in pieces waits in r->rendezvous.reading for them; `piece` counts
 * those that its sender does not know to have been taken. */
static void begin(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_arrival *a = q->arrival.more;
    bool here = copied(r, q, a);
    if (here) {
        mpu_reply(r, a, MPU_ALLOW);
    } else {
        mpu_arrival_end(r, a);
        allow(r, q, MPU_ALLOW, window(r));
    }
    if (here || q->count == 0) {
        received(q);
        return;
    }
    q->next = r->rendezvous.reading;
    r->rendezvous.reading = q;
}

static void next(struct mpu_rank *r)
{
    while (r->rendezvous.matched && !r->outbox.busy)
        begin(r, mpu_unqueue(&r->rendezvous.matched, &r->rendezvous.matched_end));
    for (struct mpu_request *q = r->rendezvous.reading; q && !r->outbox.busy; q = q->next)
        if (wants_more(q)) {
            allow(r, q, MPU_MORE, q->piece);
            q->piece = 0;
        }
    go(r);
}

/* Where more is coming than caches hold, what is stored first is out of them before the program
 * reads it; each line would go to memory twice: to be read before it is stored, and back. */
static void store_piece(struct mpu_request *q, uint64_t n, const uint8_t *data)
{
    const struct mpu_rank *r = q->rank;
    if (!q->streamed && much_is_coming(r))
        b_copy_past(q->buf + q->moved, data, n);
    else
        mpu_store(q, q->moved, n, data);
}

void mpu_pipeline_piece(struct mpu_rank *r, const struct mpu_wire *w, const uint8_t *data)
{
    struct mpu_request **at = &r->rendezvous.reading, *q;
    while (*at && ((uint32_t)(*at)->world != w->from || (*at)->arrival.wire.cookie != w->cookie))
        at = &(*at)->next;
    q = *at;
    if (!q || w->size > q->count - q->moved)
        mpu_fail(r, "received a piece of no message", B_EPROTO);
    store_piece(q, w->size, data);
    q->moved += w->size;
    q->piece++;
    if (q->moved == q->count) {
        *at = q->next;
        received(q);
    } else if (wants_more(q)) {
        next(r);
    }
}

static bool idle(const struct mpu_rank *r)
{
    return !r->rendezvous.allowed && !r->rendezvous.reading && !r->rendezvous.matched;
}

static const struct mpu_proto *proto(const struct mpu_rank *r, const struct mpu_request *q)
{
    (void)r, (void)q;
    return &mpu_pipeline;
}

const struct mpu_bulk mpu_bulk_cells = {.proto = proto,
                                        .offer = offer,
                                        .allowed = allowed,
                                        .go = go,
                                        .next = next,
                                        .progress = go,
                                        .idle = idle};

const struct mpu_proto mpu_pipeline = {.id = MPU_PROTO_PIPELINE,
                                       MPU_NAMED("pipeline"),
                                       .start = mpu_announce_start,
                                       .receive = receive};

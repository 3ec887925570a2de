/* SPDX-License-Identifier: MIT */
/* rendezvous: the header goes first; the bytes go through a portal straight from the sender's
 * buffer to the receiver's once the receiver asks.
 *
 * A rank has one output portal and may have many sends under way. The first one waits at the
 * portal, and its header says so:
 *
 *     sender                              receiver
 *       | RTS: size, my output portal         |
 *       |------------------------------------>|  matched: reads its input portal, naming
 *       | quiet portal write                  |  the sender's, so the grant leaves at once
 *       |<============ grant =================|
 *       |============= data =================>|
 *       |  done                               |  done
 *
 * The others ask. So does, in effect, one whose receive has too little room:
 *
 *       |------------- RTS ------------------>|  matched: reads for whoever announces, no grant yet
 *       |<-- ALLOW: so many bytes, my portal -|
 *       | takes back the write that waits,    |
 *       | if any; writes that many bytes,     |
 *       | announced (0 of more: none)         |
 *       |============= data =================>|  less than the message: MPI_ERR_TRUNCATE
 *
 * A receiver reads for one sender at a time, and grants only the send that waits at the portal, so
 * a grant always means that one: when its grant comes while the portal is used otherwise, the
 * kernel keeps it until the write is started again. No grant can cross an ALLOW of the same send.
 * Each transfer under way has both its portals, so it ends whatever the others do. */
#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_portal.h>

#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/transport.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q)
{
    return q->size < r->tune[MPU_TUNE_DMA_THRESHOLD];
}

/* Sender --------------------------------------------------------------------------------------- */

static void write_portal(struct mpu_rank *r, struct mpu_request *q, int port, uint64_t n, int flags)
{
    struct k_source to = {r->cluster->endpoint[q->world].cluster, port};
    const uint8_t *data = q->buf + q->moved;
    if (q->streamed) {
        struct mpu_stream *s = (struct mpu_stream *)q->buf;
        data = s->window;
        s->move(s, q->moved, n, s->window);
    }
    int rc = k_portal_awrite(r->noc.portal_out, &to, data, n, flags | q->proto->engine);
    if (rc < 0)
        mpu_fail(r, "cannot write through its portal", rc);
    r->rendezvous.sending = q;
}

/* Bytes of the next transfer. */
static uint64_t next_piece(const struct mpu_request *q)
{
    uint64_t left = q->count - q->moved;
    return q->piece && left > q->piece ? q->piece : left;
}

/* The send that was offered waits at the portal, unless another one has been allowed. */
static void go(struct mpu_rank *r)
{
    struct mpu_request *q = r->rendezvous.offered;
    if (r->rendezvous.sending)
        return;
    if (r->rendezvous.allowed) {
        q = mpu_unqueue(&r->rendezvous.allowed, &r->rendezvous.allowed_end);
        write_portal(r, q, q->port, next_piece(q), q->quiet ? K_PORTAL_QUIET : 0);
    } else if (q && !r->cluster->set->answers) {
        write_portal(r, q, r->cluster->endpoint[q->world].local, q->size, K_PORTAL_QUIET);
    }
}

/* The first one waits at the portal. A reader who takes pieces names them itself. */
static uint16_t offered_port(struct mpu_rank *r, struct mpu_request *q, bool found)
{
    bool in_one = !q->streamed || r->cluster->set->answers;
    if (!found && in_one && !r->rendezvous.offered && !r->rendezvous.sending &&
        !r->rendezvous.allowed) {
        r->rendezvous.offered = q;
        return r->noc.port;
    }
    return in_one ? MPU_NO_PORT : MPU_PIECES_PORT;
}

/* Frees the portal from a send that only waits there; false: its transfer is under way. */
static bool take_back(struct mpu_rank *r)
{
    if (!r->rendezvous.sending || r->rendezvous.sending != r->rendezvous.offered)
        return !r->rendezvous.sending;
    int rc = k_ikc_cancel(K_PORTAL, r->noc.portal_out);
    if (rc < 0 && rc != -B_EBUSY)
        mpu_fail(r, "cannot take a transfer back", rc);
    if (rc == 0)
        r->rendezvous.sending = NULL;
    return rc == 0;
}

static bool withdraw(struct mpu_rank *r, struct mpu_request *q)
{
    if (q != r->rendezvous.offered)
        return true;
    if (!take_back(r) && r->rendezvous.sending == q)
        return false;
    r->rendezvous.offered = NULL;
    q->quiet = r->cluster->set->answers;
    return true;
}

static void allowed(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *w)
{
    if (q->streamed && (w->tag == 0 || w->tag > MPU_STREAM_WINDOW))
        mpu_fail(r, "received an answer to no send of its own", B_EPROTO);
    q->port = w->port;
    q->count = w->size;
    q->piece = (uint32_t)w->tag;
    mpu_queue(&r->rendezvous.allowed_end, q);
    take_back(r);
}

/* Receiver ------------------------------------------------------------------------------------- */

/* A matched receive waits in r->rendezvous.matched until its turn at the input portal. */
static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    mpu_accept(q, &a->wire);
    q->arrival.wire = a->wire;
    bool pieces = q->streamed || a->wire.port == MPU_PIECES_PORT;
    q->piece = pieces ? MPU_STREAM_WINDOW : r->cluster->set->piece;
    mpu_queue(&r->rendezvous.matched_end, q);
    if (r->cluster->set->answers)
        q->arrival.more = a;
    else
        mpu_arrival_end(r, a);
    r->cluster->set->bulk->next(r);
}

/* False: the outbox is busy. */
static bool allow(struct mpu_rank *r, const struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    struct mpu_wire w = mpu_wire_of(r, q, MPU_ALLOW);
    w.source = 0;
    w.tag = (int32_t)q->piece;
    w.cookie = q->arrival.wire.cookie;
    w.port = (uint16_t)r->local;
    w.size = q->count;
    mpu_post(r, q->world, &w, NULL, 0);
    return true;
}

static void read_portal(struct mpu_rank *r, struct mpu_request *q, int port)
{
    struct k_source from = {r->cluster->endpoint[q->world].cluster, port};
    uint8_t *to = q->streamed ? ((struct mpu_stream *)q->buf)->window : q->buf + q->moved;
    int rc = k_portal_aread(r->noc.portal_in, port == K_ANY ? NULL : &from, to, next_piece(q),
                            &r->rendezvous.writer);
    if (rc < 0)
        mpu_fail(r, "cannot read its portal", rc);
    r->rendezvous.reading = q;
}

static bool begin(struct mpu_rank *r, struct mpu_request *q)
{
    bool answers = r->cluster->set->answers;
    bool cut = q->count < q->arrival.wire.size;
    bool waits = q->arrival.wire.port < MPU_PIECES_PORT && (answers || (!cut && !q->piece));
    if ((!waits || answers) && !allow(r, q))
        return false;
    if (cut && q->count == 0) {
        if (answers)
            mpu_arrival_end(r, q->arrival.more);
        mpu_received(q, q->arrival.wire.size);
    } else {
        read_portal(r, q, waits ? q->arrival.wire.port : K_ANY);
    }
    return true;
}

static void next(struct mpu_rank *r)
{
    while (r->rendezvous.matched && !r->rendezvous.reading) {
        struct mpu_request *q = r->rendezvous.matched;
        struct mpu_request *next = q->next;
        if (!begin(r, q))
            return;
        r->rendezvous.matched = next;
        if (!next)
            r->rendezvous.matched_end = &r->rendezvous.matched;
    }
}

/* Both ----------------------------------------------------------------------------------------- */

/* The request that used the portal, if its transfer ended. */
static struct mpu_request *ended(struct mpu_rank *r, struct mpu_request **user, int portal)
{
    struct mpu_request *q = *user;
    if (!q || k_ikc_test(K_PORTAL, portal) != 1)
        return NULL;
    long rc = k_ikc_wait(K_PORTAL, portal, 0);
    if (rc < 0)
        mpu_fail(r, "a transfer failed", (int)rc);
    q->moved += (uint64_t)rc;
    *user = NULL;
    return q;
}

/* The next piece, to the reader who names this portal now; or the end, or its answer is missing. */
static void written(struct mpu_rank *r, struct mpu_request *q)
{
    if (q == r->rendezvous.offered) {
        mpu_asked_take(r, q->arrival.wire.cookie);
        r->rendezvous.offered = NULL;
    } else if (q->moved < q->count) {
        write_portal(r, q, q->port, next_piece(q), K_PORTAL_QUIET);
        return;
    }
    if (r->cluster->set->answers && !q->answered)
        mpu_asked(r, q);
    else
        mpu_finish(q, 0);
    go(r);
    mpu_hold_next(r);
}

bool mpu_rendezvous_answered(struct mpu_rank *r, uint32_t cookie)
{
    struct mpu_request *q = r->rendezvous.sending;
    if (!q || q->arrival.wire.cookie != cookie)
        return false;
    q->answered = true;
    return true;
}

static void arrived(struct mpu_rank *r, struct mpu_request *q, uint64_t before)
{
    if (q->streamed)
        mpu_store(q, before, q->moved - before, ((struct mpu_stream *)q->buf)->window);
    if (q->arrival.more) {
        mpu_reply(r, q->arrival.more, MPU_ACK);
        q->arrival.more = NULL;
    }
    if (q->moved < q->count)
        read_portal(r, q, r->rendezvous.writer.port);
    else
        mpu_received(q, q->arrival.wire.size);
}

static void progress(struct mpu_rank *r)
{
    struct mpu_request *q = ended(r, &r->rendezvous.sending, r->noc.portal_out);
    if (q)
        written(r, q);
    uint64_t before = r->rendezvous.reading ? r->rendezvous.reading->moved : 0;
    q = ended(r, &r->rendezvous.reading, r->noc.portal_in);
    if (q)
        arrived(r, q, before);
}

static bool idle(const struct mpu_rank *r)
{
    return !r->rendezvous.allowed && !r->rendezvous.sending && !r->rendezvous.reading &&
           !r->rendezvous.matched;
}

static const struct mpu_proto *proto(const struct mpu_rank *r, const struct mpu_request *q)
{
    if (r->cluster->set->answers)
        return &mpu_paper;
    return applies(r, q) ? &mpu_rendezvous : &mpu_rendezvous_dma;
}

const struct mpu_bulk mpu_bulk_portal = {.proto = proto,
                                         .offer = offered_port,
                                         .withdraw = withdraw,
                                         .allowed = allowed,
                                         .go = go,
                                         .next = next,
                                         .progress = progress,
                                         .idle = idle};

const struct mpu_proto mpu_rendezvous = {.id = MPU_PROTO_RENDEZVOUS,
                                         MPU_NAMED("rendezvous"),
                                         .engine = K_PORTAL_CORE,
                                         .applies = applies,
                                         .start = mpu_announce_start,
                                         .receive = receive};

/* rendezvous-dma: the same for those that are longer, and the bytes are injected by a DMA channel
 * instead of a core (ho-2015, III.C.3). To the receiver both are one. */
const struct mpu_proto mpu_rendezvous_dma = {.id = MPU_PROTO_RENDEZVOUS_DMA,
                                             MPU_NAMED("rendezvous-dma"),
                                             .engine = K_PORTAL_DMA,
                                             .start = mpu_announce_start,
                                             .receive = receive};

/* paper-portal: every message, also inside a cluster, as uller-2021, 5.7.2 and 5.7.3 have it. Both
 * ends do as the set says (struct mpu_set: answers, looks_up, piece).
 *
 *     sender                              receiver
 *       | asks the name service             |
 *       | RTS ----------------------------->|  matched
 *       |<-------------- ALLOW (confirm) ---|
 *       |<======== grant (allow) ===========|
 *       |============= data ===============>|  4096 bytes at most, each with a grant
 *       |<---------------- ACK -------------|  when the first of them have arrived
 *       |  done: all sent, and the ACK      |  done: all here
 *
 * A second send of the same rank announces its data to the receiver's kernel first: it may be at
 * the portal late, and a grant that waits for it would be in the way of others. */
const struct mpu_proto mpu_paper = {.id = MPU_PROTO_PAPER,
                                    MPU_NAMED("paper-portal"),
                                    .start = mpu_announce_start,
                                    .receive = receive};

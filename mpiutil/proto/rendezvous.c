/* SPDX-License-Identifier: MIT */
/* rendezvous: the header goes first; the bytes go through a portal straight from the sender's
 * buffer to the receiver's once the receiver asks.
 *
 *     sender                              receiver
 *       | RTS: size, my output portal         |
 *       |------------------------------------>|  matched: reads its input portal, naming
 *       | quiet portal write                  |  the sender's, so the grant leaves at once
 *       |<============ grant =================|
 *       |============= data =================>|
 *       |  done                               |  done
 *
 * A receive with too little room takes only what fits:
 *
 *       |------------- RTS ------------------>|
 *       |<-- LIMIT: so many bytes, my portal -|  no grant yet; reads for whoever announces
 *       | takes its write back, writes that   |
 *       | many bytes, announced (0: none)     |
 *       |============= data =================>|  MPI_ERR_TRUNCATE
 *
 * No grant can cross a LIMIT, so taking the write back cannot fail. One transfer per direction
 * and rank at a time: a rank has one output and one input portal. */
#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_portal.h>

#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/proto.h"

static bool applies(const struct mpu_rank *r, const struct mpu_request *q, bool local)
{
    (void)r;
    (void)q;
    return !local;
}

static void write_portal(struct mpu_rank *r, const struct mpu_request *q, int port, uint64_t n,
                         int flags)
{
    struct k_source to = {mpu_place(r->cluster, q->world).cluster, port};
    int rc = k_portal_awrite(r->portal_out, &to, q->buf, n, flags);
    if (rc < 0)
        mpu_fail(r, "cannot write through its portal", rc);
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox_busy || r->sending)
        return false;
    struct mpu_wire w = mpu_wire_of(r, q, MPU_RTS);
    w.port = r->portal_out_port;
    w.cookie = ++r->cookie;
    q->arrival.wire.cookie = w.cookie;
    r->sending = q;
    mpu_post(r, q->world, &w, NULL, 0);
    write_portal(r, q, mpu_place(r->cluster, q->world).local, q->size, K_PORTAL_QUIET);
    return true;
}

void mpu_rendezvous_limit(struct mpu_rank *r, const struct mpu_wire *w)
{
    struct mpu_request *q = r->sending;
    if (!q || q->arrival.wire.cookie != w->cookie || w->size >= q->size)
        mpu_fail(r, "received an answer to no send of its own", B_EPROTO);
    int rc = k_ikc_cancel(K_PORTAL, r->portal_out);
    if (rc < 0)
        mpu_fail(r, "cannot take a transfer back", rc);
    if (w->size) {
        write_portal(r, q, w->port, w->size, 0);
        return;
    }
    r->sending = NULL;
    mpu_finish(q, 0);
}

/* A matched receive waits in r->rendezvous until its turn at the input portal. */
static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    mpu_accept(q, &a->wire);
    q->arrival.wire = a->wire;
    q->next = NULL;
    *r->rendezvous_end = q;
    r->rendezvous_end = &q->next;
    mpu_arrival_end(r, a);
    mpu_rendezvous_next(r);
}

/* False: the outbox is busy. */
static bool limit(struct mpu_rank *r, const struct mpu_request *q)
{
    if (r->outbox_busy)
        return false;
    struct mpu_wire w = mpu_wire_of(r, q, MPU_LIMIT);
    w.source = 0;
    w.tag = 0;
    w.cookie = q->arrival.wire.cookie;
    w.port = (uint16_t)r->local;
    w.size = q->count;
    mpu_post(r, q->world, &w, NULL, 0);
    return true;
}

static void read_portal(struct mpu_rank *r, const struct mpu_request *q, bool announced)
{
    struct k_source from = {mpu_place(r->cluster, q->world).cluster,
                            announced ? K_ANY : q->arrival.wire.port};
    int rc = k_portal_aread(r->portal_in, announced ? NULL : &from, q->buf, q->count, NULL);
    if (rc < 0)
        mpu_fail(r, "cannot read its portal", rc);
}

static bool begin(struct mpu_rank *r, struct mpu_request *q)
{
    bool cut = q->count < q->arrival.wire.size;
    if (cut && !limit(r, q))
        return false;
    if (cut && q->count == 0) {
        mpu_finish(q, mpu_accepted(q, q->arrival.wire.size));
        return true;
    }
    r->reading = q;
    read_portal(r, q, cut);
    return true;
}

void mpu_rendezvous_next(struct mpu_rank *r)
{
    while (r->rendezvous && !r->reading) {
        struct mpu_request *q = r->rendezvous;
        struct mpu_request *next = q->next;
        if (!begin(r, q))
            return;
        r->rendezvous = next;
        if (!next)
            r->rendezvous_end = &r->rendezvous;
    }
}

/* The request that used the portal, if its transfer ended. */
static struct mpu_request *ended(struct mpu_rank *r, struct mpu_request **user, int portal)
{
    struct mpu_request *q = *user;
    if (!q || k_ikc_test(K_PORTAL, portal) != 1)
        return NULL;
    long rc = k_ikc_wait(K_PORTAL, portal, 0);
    if (rc < 0)
        mpu_fail(r, "a transfer failed", (int)rc);
    *user = NULL;
    return q;
}

void mpu_rendezvous_progress(struct mpu_rank *r)
{
    struct mpu_request *q = ended(r, &r->sending, r->portal_out);
    if (q)
        mpu_finish(q, 0);
    q = ended(r, &r->reading, r->portal_in);
    if (q)
        mpu_finish(q, mpu_accepted(q, q->arrival.wire.size));
}

const struct mpu_proto mpu_rendezvous = {.name = "rendezvous",
                                         .messages = "rendezvous.messages",
                                         .bytes = "rendezvous.bytes",
                                         .applies = applies,
                                         .start = start,
                                         .receive = receive};

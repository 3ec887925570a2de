/* SPDX-License-Identifier: MIT */
/* paper-copy: inside a cluster, one message by mailbox, with the number of a slot that holds the
 * address; the receiver copies and releases the slot (uller-2021, 5.7.4).
 *
 *     sender                              receiver
 *       | asks the name service             |
 *       | address into a slot               |
 *       | SLOT ---------------------------->|  matched: copies, releases the slot
 *       |<------------ ring ----------------|
 *       |  the slot is free; done           |  done
 *
 * Slots are the cluster's. Who finds none waits until one is free; whoever frees one then rings
 * all. What the rank sends to other clusters meanwhile, which needs no slot, passes those that
 * wait. */
#include <base/error.h>

#include "protocol/index.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/transport.h"

/* The number of a slot that holds q now; -1: none is free. */
static int reserve(struct mpu_rank *r, struct mpu_request *q)
{
    for (int i = 0; i < r->cluster->set->slots; i++) {
        struct mpu_request *none = NULL;
        if (atomic_compare_exchange_strong(&r->cluster->slots[i].q, &none, q))
            return i;
    }
    return -1;
}

/* Sends that need no slot go before those that do, and leave. The order among either stays. False:
 * there are none. */
static bool let_pass(struct mpu_rank *r)
{
    struct mpu_request *stay = NULL, **stay_end = &stay, *pass = NULL, **pass_end = &pass;
    for (struct mpu_request *q = r->outbox.first; q; q = q->next) {
        struct mpu_request ***end = q->proto == &mpu_slot_copy ? &stay_end : &pass_end;
        **end = q;
        *end = &q->next;
    }
    bool some = pass != NULL;
    *stay_end = NULL;
    *pass_end = stay;
    r->outbox.first = pass;
    r->outbox.end = stay_end; /* the send that finds no slot stays */
    return some;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    q->arrival.wire = mpu_wire_of(r, q, MPU_SLOT);
    mpu_cookie(r, q);
    int slot = reserve(r, q);
    if (slot < 0) {
        atomic_store(&r->cluster->slot_wanted, true);
        slot = reserve(r, q); /* one may have been freed before it was wanted */
    }
    if (slot < 0) {
        if (let_pass(r))
            mpu_proto_next(r); /* which comes to q again, when nothing is left that may pass it */
        return false;
    }
    q->port = (uint16_t)slot;
    q->arrival.wire.port = q->port;
    mpu_post(r, q->world, &q->arrival.wire, NULL, 0);
    mpu_asked(r, q);
    return true;
}

static void receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a)
{
    const struct mpu_cluster *c = r->cluster;
    struct mpu_slot *slot = a->wire.port < c->set->slots ? &c->slots[a->wire.port] : NULL;
    const struct mpu_request *sender = slot ? atomic_load(&slot->q) : NULL;
    if (!sender || sender->arrival.wire.cookie != a->wire.cookie || sender->size != a->wire.size)
        mpu_fail(r, "received the number of no slot", B_EPROTO);
    uint64_t size = a->wire.size, n = mpu_accept(q, &a->wire);
    mpu_copy_from(q, sender, n);
    struct mpu_rank *from = sender->rank;
    atomic_store_explicit(&slot->released, true, memory_order_release);
    mpu_ring(from);
    mpu_arrival_end(r, a);
    mpu_received(q, size);
}

static void vacate(struct mpu_rank *r, const struct mpu_request *q)
{
    struct mpu_cluster *c = r->cluster;
    atomic_store(&c->slots[q->port].released, false);
    atomic_store(&c->slots[q->port].q, NULL);
    if (atomic_exchange(&c->slot_wanted, false))
        mpu_ring_all(c, NULL);
}

static bool released(const struct mpu_request *q)
{
    return q->proto == &mpu_slot_copy && atomic_load(&q->rank->cluster->slots[q->port].released);
}

/* A send that waits and whose slot was released; NULL: none. */
static struct mpu_request *find_released(struct mpu_rank *r)
{
    for (uint32_t i = 0; i <= r->unanswered.sends.mask; i++) {
        struct mpu_arrival *last = *mpu_index_ring(&r->unanswered.sends, i), *a = last;
        while (a && !released(mpu_request_of(a)))
            a = a->next == last ? NULL : a->next;
        if (a)
            return mpu_request_of(a);
    }
    return NULL;
}

void mpu_slot_progress(struct mpu_rank *r)
{
    struct mpu_request *q;
    while ((q = find_released(r))) {
        mpu_asked_take(r, q->arrival.wire.cookie);
        vacate(r, q);
        mpu_finish(q, 0);
    }
    mpu_proto_next(r);
}

void mpu_slot_withdraw(struct mpu_rank *r, const struct mpu_request *q)
{
    if (q->proto == &mpu_slot_copy)
        vacate(r, q);
}

const struct mpu_proto mpu_slot_copy = {
    .id = MPU_PROTO_SLOT, MPU_NAMED("paper-copy"), .start = start, .receive = receive};

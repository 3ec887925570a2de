/* SPDX-License-Identifier: MIT */
#include "transport/memory.h"

#include <stddef.h>

#include <base/error.h>

#include "progress/cell.h"
#include "progress/credit.h"
#include "progress/progress.h"
#include "transport/lane.h"
#include "transport/transport.h"

/* Sending -------------------------------------------------------------------------------------- */

static struct mpu_ring *ring_of(const struct mpu_rank *r, struct mpu_endpoint e)
{
    const struct mpu_place_map *m = &r->cluster->places;
    return mpu_place_ring(m, mpu_place_number(m, e.cluster, e.core));
}

/* Fills entries that were claimed, and sees that they are looked at: what cannot wait is told to
 * whoever works for the receiver while its program computes. */
static void give(struct mpu_rank *r, struct mpu_endpoint e, struct mpu_ring *g, uint32_t at,
                 const struct mpu_wire *w)
{
    bool asleep = mpu_ring_give(g, at);
    if (mpu_urgent(r, w))
        k_board_tell(e.cluster);
    if (asleep)
        k_board_wake(e.cluster, e.core);
}

static bool send(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 uint32_t n)
{
    struct mpu_endpoint e = r->cluster->endpoint[to];
    struct mpu_ring *g = ring_of(r, e);
    uint32_t at;
    if (!mpu_ring_claim(g, mpu_ring_need(n), &at))
        return false;
    struct mpu_entry *entry = mpu_ring_entry(g, at);
    entry->to = (uint16_t)e.local;
    entry->load = MPU_LOAD_WIRE;
    entry->bytes = (uint8_t)n;
    entry->wire = *w;
    entry->wire.credit = mpu_credit_give(r, to);
    if (n)
        mpu_ring_put(g, at, payload, n);
    give(r, e, g, at, w);
    return true;
}

/* What found no room. */
struct mpu_kept {
    struct mpu_wire wire;
    struct k_watch watch; /* for room in the ring */
    int to;
    uint32_t n;
    uint8_t payload[MPU_EAGER_MAX];
};

static void post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 size_t n)
{
    if (send(r, to, w, payload, (uint32_t)n))
        return;
    struct mpu_kept *k = r->kept;
    k->wire = *w;
    k->to = to;
    k->n = (uint32_t)n;
    if (n)
        memcpy(k->payload, payload, n);
    r->outbox_busy = true;
    r->cluster->transport->progress(r);
}

/* Tries again, and else has the bell rung when the ring's consumer took something. */
static void progress(struct mpu_rank *r)
{
    struct mpu_kept *k = r->kept;
    if (!r->outbox_busy)
        return;
    struct mpu_endpoint e = r->cluster->endpoint[k->to];
    struct mpu_ring *g = ring_of(r, e);
    k_board_forget(&k->watch);
    uint32_t seen;
    while (!send(r, k->to, &k->wire, k->payload, k->n))
        if (mpu_ring_want(g, r->cluster->info.cluster, mpu_ring_need(k->n), &seen)) {
            k->watch = (struct k_watch){
                .word = &g->head, .value = seen, .bits = K_BELL_KERNEL, .bell = &r->bell};
            k_board_watch(&k->watch);
            return;
        }
    r->outbox_busy = false;
}

static bool idle(struct mpu_rank *r)
{
    return !r->outbox_busy;
}

/* Up to MPU_EAGER_MAX bytes the receiver keeps the message in a cell of its own. */
static bool eager(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload)
{
    if (w->size <= MPU_EAGER_MAX) {
        if (!mpu_credit_spend(r, to, 1))
            return false;
        post(r, to, w, payload, w->size);
        return true;
    }
    struct mpu_endpoint e = r->cluster->endpoint[to];
    struct mpu_ring *g = ring_of(r, e);
    struct mpu_slab_cell *cell = mpu_slab_take(&r->at_core->slab, w->size);
    uint32_t at;
    if (!cell)
        return false;
    memcpy(cell->payload, payload, w->size);
    if (!mpu_ring_claim(g, 1, &at)) {
        mpu_slab_give_back(r->at_core->slab.shared, cell);
        return false;
    }
    struct mpu_entry *entry = mpu_ring_entry(g, at);
    entry->to = (uint16_t)e.local;
    entry->load = MPU_LOAD_CELL;
    entry->bytes = sizeof entry->place;
    entry->wire = *w;
    entry->wire.credit = mpu_credit_give(r, to);
    entry->place = (uint64_t)((uint8_t *)cell - r->cluster->places.at);
    give(r, e, g, at, w);
    return true;
}

/* Receiving ------------------------------------------------------------------------------------ */

void mpu_memory_check(struct mpu_rank *r, const struct mpu_wire *w, uint32_t bytes)
{
    if (!mpu_wire_valid(w, (long)(sizeof *w + bytes), mpu_ranks(r)) || !mpu_credit_take(r, w) ||
        w->kind == MPU_SLOT || w->kind == MPU_SPLIT || w->kind == MPU_PIECE)
        mpu_fail(r, "received a malformed message", B_EPROTO);
}

struct mpu_arrival *mpu_memory_arrival(struct mpu_rank *r, const struct mpu_wire *w, uint64_t place)
{
    const struct mpu_place_map *m = &r->cluster->places;
    struct mpu_slab_cell *cell = (struct mpu_slab_cell *)(m->at + place);
    if (place >= (uint64_t)m->shares * m->share || cell->slab >= (uint32_t)m->shares ||
        cell->size >= MPU_SLAB_SIZES || w->size > m->payload ||
        (w->kind != MPU_EAGER && w->kind != MPU_SYNC) || w->from >= (uint32_t)mpu_ranks(r) ||
        !mpu_credit_take(r, w))
        mpu_fail(r, "received a malformed message", B_EPROTO);
    cell->a.wire = *w;
    cell->a.origin = MPU_FROM_MEMORY;
    return &cell->a;
}

void mpu_memory_arrival_end(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_slab_cell *cell =
        (struct mpu_slab_cell *)((uint8_t *)a - offsetof(struct mpu_slab_cell, a));
    mpu_slab_give_back(mpu_place_slab(&r->cluster->places, (int)cell->slab), cell);
}

/* Life ----------------------------------------------------------------------------------------- */

static int begin(struct mpu_rank *r)
{
    r->kept = mpu_keep(r, sizeof *r->kept);
    if (!r->kept)
        return -B_ENOMEM;
    r->kept->watch = (struct k_watch){0};
    return 0;
}

static void end(struct mpu_rank *r)
{
    (void)r;
}

const struct mpu_transport mpu_memory = {.name = "memory",
                                         .watched = true,
                                         .begin = begin,
                                         .end = end,
                                         .post = post,
                                         .eager = eager,
                                         .progress = progress,
                                         .idle = idle};

/* SPDX-License-Identifier: MIT */
#include "transport/memory.h"

#include <stddef.h>

#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>

#include "request/request.h"
#include "transport/cell.h"
#include "transport/credit.h"
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
        k_board_urge(e.cluster);
    if (asleep)
        k_board_wake(e.cluster, e.core);
}

/* An entry of a load, with a few bytes of data. False: the ring is full. */
static bool send(struct mpu_rank *r, int to, enum mpu_load load, const struct mpu_wire *w,
                 const void *data, uint32_t n)
{
    struct mpu_endpoint e = r->cluster->endpoint[to];
    struct mpu_ring *g = ring_of(r, e);
    uint32_t at;
    if (!mpu_ring_claim(g, mpu_ring_need(n), &at))
        return false;
    struct mpu_wire header = *w;
    header.credit = mpu_credit_give(r, to);
    mpu_ring_fill(g, at, (uint16_t)e.local, load, &header, data, n);
    give(r, e, g, at, w);
    return true;
}

/* What found no room, and what its rank waits for: that there is some, and for a cell. */
struct mpu_kept {
    struct k_watch room, cells;
    struct mpu_wire wire;
    int to;
    enum mpu_load load;
    uint32_t n;
    uint8_t data[MPU_INLINE_MAX];
};

/* Tries again, and else has the bell rung when the ring's consumer took something. */
static void progress(struct mpu_rank *r)
{
    struct mpu_kept *k = r->outbox.kept;
    if (!r->outbox.busy)
        return;
    struct mpu_ring *g = ring_of(r, r->cluster->endpoint[k->to]);
    k_board_forget(&k->room);
    uint32_t seen;
    while (!send(r, k->to, k->load, &k->wire, k->data, k->n))
        if (mpu_ring_want(g, r->cluster->info.cluster, mpu_ring_need(k->n), &seen)) {
            k->room = (struct k_watch){
                .word = &g->head, .value = seen, .bits = K_BELL_KERNEL, .bell = &r->bell};
            k_board_watch(&k->room);
            return;
        }
    r->outbox.busy = false;
}

static void send_or_keep(struct mpu_rank *r, int to, enum mpu_load load, const struct mpu_wire *w,
                         const void *data, uint32_t n)
{
    if (send(r, to, load, w, data, n))
        return;
    struct mpu_kept *k = r->outbox.kept;
    k->wire = *w;
    k->to = to;
    k->load = load;
    k->n = n;
    if (n)
        memcpy(k->data, data, n);
    r->outbox.busy = true;
    progress(r);
}

static void post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 size_t n)
{
    send_or_keep(r, to, MPU_LOAD_WIRE, w, payload, (uint32_t)n);
}

static bool idle(struct mpu_rank *r)
{
    return !r->outbox.busy;
}

/* Bytes of a message, in a cell. False: none is free.
 *
 * Where another core has read a cell last its lines are there. To store past the caches needs none
 * of them, and the reader finds the bytes in memory, which is farther, but where it can ask for
 * many lines at once. From some size on that is known to be better, else it is measured. */
static bool send_cell(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *from,
                      bool streamed, uint64_t at)
{
    const struct mpu_lending *l = r->cluster->has.lending;
    struct mpu_slab_cell *near = l ? l->take(r, to, w) : NULL;
    struct mpu_slab_cell *cell =
        near ? near : mpu_slab_take(&r->at_core->slab, (uint32_t)w->size, mpu_memory_use(w));
    if (!cell)
        return false;
    bool back = !near && !streamed; /* from its reader, or new */
    if (back && w->size >= r->tune[MPU_TUNE_PAST_CACHES])
        b_copy_past(cell->payload, (const uint8_t *)from + at, w->size);
    else if (back && l)
        l->store(r, cell->payload, (const uint8_t *)from + at, w->size);
    else
        mpu_load(from, streamed, at, w->size, cell->payload);
    const struct mpu_place_map *m = &r->cluster->places;
    if (LWMPI_RACES_WATCHED)
        mpu_slab_passes(&m->shape, mpu_place_slab(m, mpu_memory_number(m, cell)), cell);
    uint64_t place = (uint64_t)((const uint8_t *)cell - m->at);
    send_or_keep(r, to, MPU_LOAD_CELL, w, &place, sizeof place);
    return true;
}

bool mpu_memory_send_piece(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *from,
                           bool streamed, uint64_t at)
{
    struct k_watch *watch = &r->outbox.kept->cells;
    k_board_forget(watch);
    while (!send_cell(r, to, w, from, streamed, at)) {
        uint32_t seen;
        const _Atomic(uint32_t) *word = mpu_slab_want(&r->at_core->slab, &seen);
        if (!word)
            continue;
        *watch =
            (struct k_watch){.word = word, .value = seen, .bits = K_BELL_KERNEL, .bell = &r->bell};
        k_board_watch(watch);
        return false;
    }
    return true;
}

/* In the ring if it is short and the receiver may keep it in a cell of its own. */
static bool eager(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                  bool streamed)
{
    b_assert(!streamed || w->size > MPU_INLINE_MAX);
    if (w->size <= MPU_INLINE_MAX && mpu_credit_spend(r, to, 1)) {
        post(r, to, w, payload, w->size);
        return true;
    }
    return send_cell(r, to, w, payload, streamed, 0);
}

/* Receiving ------------------------------------------------------------------------------------ */

static _Noreturn void malformed(const struct mpu_rank *r)
{
    mpu_fail(r, "received a malformed message", B_EPROTO);
}

void mpu_memory_check(struct mpu_rank *r, const struct mpu_wire *w, uint32_t bytes)
{
    if (!mpu_wire_valid(w, (long)(sizeof *w + bytes), MPU_INLINE_MAX, mpu_ranks(r)) ||
        w->kind == MPU_SLOT || w->kind == MPU_SPLIT || w->kind == MPU_PIECE)
        malformed(r);
}

void mpu_memory_credit(struct mpu_rank *r, const struct mpu_wire *w)
{
    if (!mpu_credit_take(r, w))
        malformed(r);
}

struct mpu_slab_cell *mpu_memory_at(struct mpu_rank *r, const struct mpu_wire *w, uint64_t place)
{
    const struct mpu_place_map *m = &r->cluster->places;
    uint64_t in_share = place % m->share;
    uint32_t room = mpu_slab_room(&m->shape, in_share - mpu_place_slab_at(m));
    if (place >= (uint64_t)m->shares * m->share || room == 0 || w->size > room ||
        (w->kind != MPU_EAGER && w->kind != MPU_SYNC && w->kind != MPU_PIECE) ||
        w->from >= (uint32_t)mpu_ranks(r) || !mpu_credit_take(r, w))
        malformed(r);
    struct mpu_slab_cell *cell = (struct mpu_slab_cell *)(m->at + place);
    if (LWMPI_RACES_WATCHED)
        mpu_slab_passes(&m->shape, mpu_place_slab(m, mpu_memory_number(m, cell)), cell);
    return cell;
}

void mpu_memory_give_back(struct mpu_rank *r)
{
    struct mpu_slab_chain *read = &r->at_core->read;
    const struct mpu_place_map *m = &r->cluster->places;
    if (!read->list)
        return;
    size_t at = (size_t)((uint8_t *)read->list - m->at);
    if (mpu_slab_give_back(read))
        k_board_tell((int)(at / m->share) / m->cores);
}

void mpu_memory_read(struct mpu_rank *r, struct mpu_slab_cell *cell)
{
    struct mpu_slab_chain *read = &r->at_core->read;
    const struct mpu_place_map *m = &r->cluster->places;
    if (r->cluster->has.lending && r->cluster->has.lending->keep(r, cell))
        return;
    uint8_t *slab = mpu_place_slab(m, mpu_memory_number(m, cell));
    while (!mpu_slab_gather(read, &m->shape, slab, cell))
        mpu_memory_give_back(r);
}

void mpu_memory_arrival_end(struct mpu_rank *r, struct mpu_arrival *a)
{
    mpu_memory_read(r, (struct mpu_slab_cell *)((uint8_t *)a - offsetof(struct mpu_slab_cell, a)));
    mpu_memory_give_back(r);
}

/* Life ----------------------------------------------------------------------------------------- */

static int begin(struct mpu_rank *r)
{
    r->outbox.kept = mpu_keep(r, sizeof *r->outbox.kept);
    if (!r->outbox.kept)
        return -B_ENOMEM;
    *r->outbox.kept = (struct mpu_kept){.n = 0};
    return 0;
}

const struct mpu_transport mpu_memory = {
    .begin = begin, .post = post, .eager = eager, .progress = progress, .idle = idle};

/* SPDX-License-Identifier: MIT */
#include <base/assert.h>

#include "transport/lane.h"

#include <stddef.h>

#include "request/request.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/memory.h"
#include "transport/transport.h"

/* Sender, of the same cluster ------------------------------------------------------------------ */

/* Entries to fill: the number of the first in *at. False: too few are free, or messages lie in the
 * inbox, which one of this sender must not overtake. */
static bool claim(struct mpu_core *core, uint32_t n, uint32_t *at)
{
    return core->lane && !atomic_load_explicit(&core->inbox, memory_order_relaxed) &&
           mpu_ring_claim(core->lane->ring, n, at);
}

/* If the core sleeps the bell wakes it. */
static void give(struct mpu_core *core, uint32_t at, struct mpu_rank *to)
{
    if (mpu_ring_give(core->lane->ring, at))
        mpu_ring(to);
}

bool mpu_lane_message(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                      const void *data)
{
    struct mpu_cluster *c = r->cluster;
    struct mpu_core *core = &c->cores[to->core];
    uint32_t at, n = (uint32_t)w->size;
    if (!core->lane || atomic_load_explicit(&core->lane->closed, memory_order_relaxed) ||
        n > MPU_INLINE_MAX || !claim(core, mpu_ring_need(n), &at))
        return false;
    mpu_ring_fill(core->lane->ring, at, (uint16_t)to->local, MPU_LOAD_MESSAGE, w, data, n);
    give(core, at, &c->ranks[to->local]);
    return true;
}

/* A load that is a pointer. */
static bool send_pointer(struct mpu_cluster *c, const struct mpu_endpoint *to, enum mpu_load load,
                         void *pointer)
{
    struct mpu_core *core = &c->cores[to->core];
    uint32_t at;
    if (!claim(core, 1, &at))
        return false;
    mpu_ring_fill(core->lane->ring, at, (uint16_t)to->local, load, NULL, &pointer, sizeof pointer);
    give(core, at, &c->ranks[to->local]);
    return true;
}

bool mpu_lane_done(struct mpu_rank *r, const struct mpu_endpoint *to, struct mpu_request *q)
{
    return send_pointer(r->cluster, to, MPU_LOAD_DONE, q);
}

void mpu_local_push(struct mpu_rank *r, const struct mpu_endpoint *to, struct mpu_arrival *a)
{
    struct mpu_cluster *c = r->cluster;
    struct mpu_rank *receiver = &c->ranks[to->local];
    if (to->core == r->core) {
        mpu_arrived(receiver, a);
        return;
    }
    if (send_pointer(c, to, MPU_LOAD_ARRIVAL, a))
        return;
    a->to = (uint16_t)to->local;
    mpu_stack(&c->cores[to->core].inbox, a);
    mpu_ring(receiver);
}

/* Receiver ------------------------------------------------------------------------------------- */

/* The message of an entry into a cell of its receiver. NULL: there is no memory. */
static struct mpu_cell *keep(struct mpu_lane *l, struct mpu_rank *to, const struct mpu_entry *entry)
{
    struct mpu_cell *cell = mpu_cell_take(to);
    if (!cell)
        return NULL;
    cell->a.wire = entry->wire;
    if (mpu_entry_bytes(entry))
        mpu_ring_get(l->ring, l->taken, cell->payload, mpu_entry_bytes(entry));
    return cell;
}

/* The bytes of an entry are what a posted receive wants. */
static void receive(struct mpu_lane *l, const struct mpu_entry *entry, struct mpu_request *q)
{
    const struct mpu_wire *w = &entry->wire;
    if (mpu_entry_bytes(entry) <= MPU_ENTRY_DATA) {
        mpu_receive_now(q, w, entry->data);
        return;
    }
    uint8_t bytes[MPU_INLINE_MAX];
    uint64_t n = mpu_accept(q, w);
    mpu_ring_get(l->ring, l->taken, q->streamed ? bytes : q->buf, (uint32_t)n);
    if (q->streamed)
        mpu_store(q, 0, n, bytes);
    mpu_received(q, w->size);
}

/* What lies in a cell by now; that nobody has asked for an eager message is known. */
static void arrived(struct mpu_rank *to, struct mpu_arrival *a)
{
    if (a->wire.kind == MPU_EAGER)
        mpu_unexpected(to, a);
    else
        mpu_arrived(to, a);
}

/* The entries of a message are the producers' again as soon as `taken` is told; only then its
 * handler runs, which may let others of the core look here. */
static void advance(struct mpu_lane *l, uint32_t n)
{
    b_assert(n > 0 && n <= l->ring->entries);
    l->taken += n;
}

/* A short message whose receive is posted goes where it belongs at once. Those of other clusters
 * are counted by their senders; those of the same one have another way when memory gets short. */
static bool take_message(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_entry *entry)
{
    struct mpu_rank *to = &c->ranks[entry->to];
    uint32_t n = mpu_ring_need(mpu_entry_bytes(entry));
    bool far = mpu_entry_load(entry) == MPU_LOAD_WIRE;
    if (far)
        mpu_memory_check(to, &entry->wire, mpu_entry_bytes(entry));
    struct mpu_request *q =
        entry->wire.kind == MPU_EAGER ? mpu_expected(to, &entry->wire, to) : NULL;
    struct mpu_cell *cell = q ? NULL : keep(l, to, entry);
    if (!q && !cell) {
        l->refuses = l->taken + 1;
        return false;
    }
    if (far)
        mpu_memory_credit(to, &entry->wire);
    if (q) {
        int from = (int)entry->wire.from;
        receive(l, entry, q);
        advance(l, n);
        if (far)
            mpu_credit_owe(to, from, 1);
        return true;
    }
    advance(l, n);
    cell->a.origin = far ? MPU_FROM_NET : MPU_FROM_LANE;
    if (!far && mpu_cells_short(to))
        atomic_store_explicit(&l->closed, true, memory_order_relaxed);
    arrived(to, &cell->a);
    return true;
}

static bool take_arrival(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_entry *entry)
{
    struct mpu_rank *to = &c->ranks[entry->to];
    struct mpu_arrival *a = entry->pointer;
    advance(l, 1);
    mpu_arrived(to, a);
    return true;
}

static bool take_done(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_entry *entry)
{
    (void)c;
    struct mpu_request *q = entry->pointer;
    advance(l, 1);
    mpu_finish(q, 0);
    return true;
}

/* A message that is wanted by now is copied out of its cell at once; another one stays there. */
static bool take_cell(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_entry *entry)
{
    struct mpu_rank *to = &c->ranks[entry->to];
    const struct mpu_wire w = entry->wire;
    struct mpu_slab_cell *cell = mpu_memory_at(to, &w, entry->place);
    advance(l, 1);
    struct mpu_request *q = w.kind == MPU_EAGER ? mpu_expected(to, &w, to) : NULL;
    if (q) {
        mpu_receive_now(q, &w, cell->payload);
        mpu_memory_read(to, cell);
    } else if (w.kind == MPU_PIECE) {
        mpu_pipeline_piece(to, &w, cell->payload);
        mpu_memory_read(to, cell);
        mpu_memory_give_back(to);
    } else {
        cell->a.wire = w;
        cell->a.origin = MPU_FROM_MEMORY;
        arrived(to, &cell->a);
    }
    return true;
}

bool mpu_lane_more(const struct mpu_rank *r)
{
    const struct mpu_lane *l = r->at_core->lane;
    return mpu_ring_due(l->ring, l->taken);
}

/* The next entry; false: it is not there, or there is no memory for what it brings. */
static bool take(struct mpu_cluster *c, struct mpu_lane *l)
{
    static bool (*const take_load[MPU_LOADS])(struct mpu_cluster *, struct mpu_lane *,
                                              const struct mpu_entry *) = {
        [MPU_LOAD_MESSAGE] = take_message,
        [MPU_LOAD_ARRIVAL] = take_arrival,
        [MPU_LOAD_DONE] = take_done,
        [MPU_LOAD_WIRE] = take_message,
        [MPU_LOAD_CELL] = take_cell};
    _Static_assert(MPU_LOADS <= MPU_ENTRY_LOADS, "an entry says which");
    _Static_assert(MPU_INLINE_MAX < (UINT16_MAX + 1) / MPU_ENTRY_LOADS, "... and how many bytes");
    if (!mpu_ring_due(l->ring, l->taken))
        return false;
    const struct mpu_entry *entry = mpu_ring_entry(l->ring, l->taken);
    b_assert(entry->to < c->locals && mpu_entry_load(entry) < MPU_LOADS);
    return take_load[mpu_entry_load(entry)](c, l, entry);
}

/* The oldest one is last: what a rank sends arrives in order. `end` is what lies below all. */
static struct mpu_arrival *oldest_first(struct mpu_arrival *newest, const struct mpu_arrival *end)
{
    struct mpu_arrival *list = NULL;
    while (newest && newest != end) {
        struct mpu_arrival *older = newest->next;
        newest->next = list;
        list = newest;
        newest = older;
    }
    return list;
}

static void arrive(struct mpu_cluster *c, struct mpu_arrival *a)
{
    while (a) {
        struct mpu_arrival *next = a->next;
        mpu_arrived(&c->ranks[a->to], a);
        a = next;
    }
}

/* Messages in the inbox are later than those of their senders in the lane, and as long as the inbox
 * is not NULL these senders use it. So what lies there is taken, but not the end of the list, which
 * the core puts there; then what was in the lane at that time; then NULL opens the lane. A sender
 * that has got a line and not yet filled it stops this until it has: the core watches that line. */
static bool late_progress(struct mpu_rank *r, struct mpu_core *core)
{
    struct mpu_lane *l = core->lane;
    struct mpu_arrival *end = &l->end;
    if (!l->late) {
        l->late =
            oldest_first(atomic_exchange_explicit(&core->inbox, end, memory_order_acq_rel), end);
        l->until = atomic_load_explicit(&l->ring->tail, memory_order_relaxed);
    }
    while ((int32_t)(l->until - l->taken) > 0)
        if (!take(r->cluster, l))
            return false;
    struct mpu_arrival *late = l->late;
    l->late = NULL;
    arrive(r->cluster, late);
    atomic_compare_exchange_strong_explicit(&core->inbox, &end, NULL, memory_order_release,
                                            memory_order_relaxed);
    return true;
}

/* After some entries were taken. tell: the producers, too (mpu_ring_owes). */
static void took(struct mpu_rank *r, struct mpu_lane *l, bool tell)
{
    int cluster;
    mpu_memory_give_back(r);
    mpu_ring_watch(l->ring, l->taken);
    if (!tell)
        return;
    mpu_ring_taken(l->ring, l->taken);
    while ((cluster = mpu_ring_wanted(l->ring)) >= 0)
        k_board_tell(cluster);
}

static bool lane_progress(struct mpu_rank *r, struct mpu_lane *l)
{
    uint32_t first = l->taken;
    bool owes = false;
    while (!owes && take(r->cluster, l))
        owes = mpu_ring_owes(l->ring, l->taken);
    if (l->taken == first)
        return false;
    took(r, l, owes);
    return true;
}

bool mpu_lane_progress(struct mpu_rank *r)
{
    struct mpu_core *core = r->at_core;
    struct mpu_lane *l = core->lane;
    bool any = l && lane_progress(r, l);
    if (!atomic_load_explicit(&core->inbox, memory_order_relaxed))
        return any;
    if (l) {
        bool late = late_progress(r, core);
        took(r, l, true);
        return late || any;
    }
    arrive(r->cluster,
           oldest_first(atomic_exchange_explicit(&core->inbox, NULL, memory_order_acquire), NULL));
    return true;
}

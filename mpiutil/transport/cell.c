/* SPDX-License-Identifier: MIT */
#include <base/assert.h>
#include <base/error.h>

#include "request/request.h"
#include "transport/cell.h"
#include "transport/lane.h"
#include "transport/memory.h"
#include "transport/transport.h"

#define FIRST 2    /* cells for the network, if there is one, when a rank starts */
#define BLOCK 1920 /* bytes of cells, two blocks are a page */

static void push(struct mpu_arrival **list, struct mpu_arrival *a)
{
    a->next = *list;
    *list = a;
}

static struct mpu_cell *pop(struct mpu_arrival **list)
{
    struct mpu_arrival *a = *list;
    if (a)
        *list = a->next;
    return (struct mpu_cell *)a;
}

/* Makes n cells of so many bytes. */
static void add(struct mpu_arrival **list, const struct mpu_arrival *like, uint8_t *memory, int n,
                size_t bytes)
{
    for (int i = 0; i < n; i++) {
        struct mpu_cell *cell = (struct mpu_cell *)(memory + (size_t)i * bytes);
        cell->a = *like;
        push(list, &cell->a);
    }
}

static void add_net(struct mpu_rank *r, uint8_t *memory, int n)
{
    add(&r->cells.net, &(struct mpu_arrival){.origin = MPU_FROM_NET}, memory, n,
        r->cluster->net_cell);
}

__attribute__((cold)) int mpu_cells_begin(struct mpu_rank *r)
{
    uint8_t *memory = mpu_keep(r, FIRST * (size_t)r->cluster->net_cell);
    if (!memory)
        return -B_ENOMEM;
    add_net(r, memory, FIRST);
    return 0;
}

/* A block of cells more. The blocks stay the rank's: what was needed once is needed again. */
static __attribute__((cold)) uint8_t *block_take(struct mpu_rank *r)
{
    uint8_t *block = mpu_keep(r, BLOCK);
    if (block)
        k_count("unexpected.blocks", 1);
    return block;
}

static bool quarter_free(void)
{
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    return used <= limit - limit / 4;
}

bool mpu_cells_short(const struct mpu_rank *r)
{
    return !r->cells.net && !quarter_free();
}

/* Messages of other clusters have no other way, and credit bounds them. Neighbours have one,
 * local-copy, so they get a quarter of the memory at most, and only while another one is free. */
int mpu_cell_local_blocks(int locals, size_t memory)
{
    return (int)(memory / 4 / BLOCK / (size_t)(locals ? locals : 1));
}

uint32_t mpu_cell_bytes(uint32_t most)
{
    uint32_t bytes = (uint32_t)sizeof(struct mpu_cell) + most;
    return (bytes + 7) / 8 * 8;
}

struct mpu_cell *mpu_cell_take(struct mpu_rank *r)
{
    uint8_t *block = r->cells.net ? NULL : block_take(r);
    if (block)
        add_net(r, block, (int)(BLOCK / r->cluster->net_cell));
    return pop(&r->cells.net);
}

static bool may_refill(const struct mpu_rank *r)
{
    return r->cells.local_blocks < r->cluster->local_blocks && quarter_free();
}

static void refill_local(struct mpu_rank *r, bool must)
{
    r->cells.local = atomic_exchange_explicit(&r->returned, NULL, memory_order_acquire);
    if (r->cells.local || !(must || may_refill(r)))
        return;
    uint8_t *block = block_take(r);
    if (!block)
        return;
    uint32_t bytes = mpu_cell_bytes(r->tune[MPU_TUNE_LOCAL_LIMIT]); /* fixed */
    r->cells.local_blocks++;
    add(&r->cells.local,
        &(struct mpu_arrival){.origin = MPU_FROM_CELL, .owner = (uint16_t)r->local}, block,
        (int)(BLOCK / bytes), bytes);
}

struct mpu_cell *mpu_cell_take_local(struct mpu_rank *r, bool must)
{
    if (!r->cells.local)
        refill_local(r, must);
    return pop(&r->cells.local);
}

static void end_net(struct mpu_rank *r, struct mpu_arrival *a)
{
    push(&r->cells.net, a);
    mpu_land(r);
}

static void end_cell(struct mpu_rank *r, struct mpu_arrival *a)
{
    b_assert(a->owner < r->cluster->locals);
    struct mpu_rank *owner = &r->cluster->ranks[a->owner];
    if (mpu_same_core(r, (int)a->wire.from)) {
        push(&owner->cells.local, a);
        return;
    }
    mpu_stack(&owner->returned, a);
}

/* On another core the sender may leave as soon as `done` is set, and its request with it; its rank
 * stays. */
static void end_request(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_request_of(a);
    struct mpu_rank *sender = q->rank;
    struct mpu_flow *flow = q->flow;
    int from = (int)a->wire.from;
    if (mpu_same_core(r, from)) {
        mpu_finish(q, 0);
        return;
    }
    if (mpu_lane_done(r, &r->cluster->endpoint[from], q))
        return;
    atomic_store_explicit(&q->done, true, memory_order_release);
    if (flow)
        mpu_flow_done(flow);
    else
        mpu_ring(sender);
}

/* When nothing waits any more what is in the cells of the rank is free. */
static void end_lane(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_lane *l = r->at_core->lane;
    a->origin = MPU_FROM_NET;
    push(&r->cells.net, a);
    if (atomic_load_explicit(&l->closed, memory_order_relaxed) && r->match.waiting == 0)
        atomic_store_explicit(&l->closed, false, memory_order_relaxed);
}

void mpu_arrival_end(struct mpu_rank *r, struct mpu_arrival *a)
{
    static void (*const end[MPU_ORIGINS])(struct mpu_rank *, struct mpu_arrival *) = {
        [MPU_FROM_NET] = end_net,
        [MPU_FROM_MEMORY] = mpu_memory_arrival_end,
        [MPU_FROM_CELL] = end_cell,
        [MPU_FROM_LANE] = end_lane,
        [MPU_FROM_REQUEST] = end_request};
    b_assert(a->origin < MPU_ORIGINS);
    end[a->origin](r, a);
}

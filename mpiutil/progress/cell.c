/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "progress/cell.h"
#include "progress/flow.h"
#include "progress/lane.h"
#include "progress/progress.h"

#define CELLS_PER_PAGE 25 /* 4000 bytes */

static int network_cells(const struct mpu_cluster *c)
{
    return c->network ? MPU_CELLS_NET : 0;
}

size_t mpu_cells_bytes(const struct mpu_cluster *c)
{
    size_t peers = c->network ? (size_t)svc_spawn_total(c->job) : 0;
    return peers * sizeof(struct mpu_peer) +
           (size_t)(network_cells(c) + MPU_CELLS_LOCAL) * sizeof(struct mpu_cell);
}

static void push(struct mpu_arrival **list, struct mpu_arrival *a)
{
    a->next = *list;
    *list = a;
}

static void add(struct mpu_arrival **list, enum mpu_origin origin, struct mpu_cell *cell, int n)
{
    for (int i = 0; i < n; i++) {
        cell[i].a.origin = origin;
        push(list, &cell[i].a);
    }
}

static void add_local(struct mpu_rank *r, struct mpu_cell *cell, int n)
{
    add(&r->cells_local, MPU_FROM_CELL, cell, n);
    for (int i = 0; i < n; i++)
        cell[i].a.owner = (uint16_t)(r - r->cluster->ranks);
}

__attribute__((cold)) void mpu_cells_init(struct mpu_cluster *c, uint8_t *memory)
{
    struct mpu_cell *cell = (struct mpu_cell *)memory;
    int network = network_cells(c);
    for (int i = 0; i < c->locals; i++) {
        struct mpu_rank *r = &c->ranks[i];
        r->cluster = c;
        add(&r->cells, MPU_FROM_NET, cell, network);
        add_local(r, cell + network, MPU_CELLS_LOCAL);
        cell += network + MPU_CELLS_LOCAL;
    }
    struct mpu_peer *peer = (struct mpu_peer *)cell;
    for (int i = 0; c->network && i < c->locals; i++, peer += svc_spawn_total(c->job))
        c->ranks[i].peers = peer;
}

/* A page of cells more, while a quarter of the cluster's memory stays free. The pages stay the
 * rank's: what was needed once is needed again. */
static __attribute__((cold)) struct mpu_cell *page_take(void)
{
    size_t used, high, limit;
    void *page;
    k_memory(&used, &high, &limit);
    if (used > limit - limit / 4 || k_page_alloc(CELLS_PER_PAGE * sizeof(struct mpu_cell), &page))
        return NULL;
    k_count("unexpected.pages", 1);
    return page;
}

struct mpu_cell *mpu_cell_page(uint32_t *n)
{
    *n = CELLS_PER_PAGE;
    return page_take();
}

/* Neighbours have another way, local-copy, so they get a quarter of the memory at most. */
int mpu_cell_local_pages(int locals, size_t memory)
{
    return (int)(memory / 4 / (CELLS_PER_PAGE * sizeof(struct mpu_cell)) /
                 (size_t)(locals ? locals : 1));
}

struct mpu_cell *mpu_cell_take(struct mpu_rank *r)
{
    struct mpu_cell *page = r->cells ? NULL : page_take();
    if (page)
        add(&r->cells, MPU_FROM_NET, page, CELLS_PER_PAGE);
    struct mpu_arrival *a = r->cells;
    if (a)
        r->cells = a->next;
    return (struct mpu_cell *)a;
}

static void refill_local(struct mpu_rank *r)
{
    r->cells_local = atomic_exchange_explicit(&r->returned, NULL, memory_order_acquire);
    if (r->cells_local || r->local_pages == r->cluster->local_pages)
        return;
    r->local_pages++;
    struct mpu_cell *page = page_take();
    if (page)
        add_local(r, page, CELLS_PER_PAGE);
}

struct mpu_cell *mpu_cell_take_local(struct mpu_rank *r)
{
    if (!r->cells_local)
        refill_local(r);
    struct mpu_arrival *a = r->cells_local;
    if (a)
        r->cells_local = a->next;
    return (struct mpu_cell *)a;
}

static void end_net(struct mpu_rank *r, struct mpu_arrival *a)
{
    push(&r->cells, a);
    mpu_land(r);
}

static void end_cell(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_rank *owner = &r->cluster->ranks[a->owner];
    if (mpu_core_of(r, (int)a->wire.from) == r->core) {
        push(&owner->cells_local, a);
        return;
    }
    struct mpu_arrival *top = atomic_load_explicit(&owner->returned, memory_order_relaxed);
    do
        a->next = top;
    while (!atomic_compare_exchange_weak_explicit(&owner->returned, &top, a, memory_order_release,
                                                  memory_order_relaxed));
}

/* On another core the sender may leave as soon as `done` is set, and its request with it; its rank
 * stays. */
static void end_request(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_request *q =
        (struct mpu_request *)((uint8_t *)a - offsetof(struct mpu_request, arrival));
    struct mpu_rank *sender = q->rank;
    struct mpu_flow *flow = q->flow;
    int from = (int)a->wire.from;
    if (mpu_core_of(r, from) == r->core) {
        mpu_finish(q, 0);
        return;
    }
    if (mpu_lane_done(r, from, q))
        return;
    atomic_store_explicit(&q->done, true, memory_order_release);
    if (flow)
        mpu_flow_done(flow);
    else
        mpu_ring(sender);
}

static void end_lane(struct mpu_rank *r, struct mpu_arrival *a)
{
    mpu_lane_cell_end(r->cluster->cores[r->core].lane, a);
}

void mpu_arrival_end(struct mpu_rank *r, struct mpu_arrival *a)
{
    static void (*const end[MPU_ORIGINS])(struct mpu_rank *, struct mpu_arrival *) = {
        [MPU_FROM_NET] = end_net,
        [MPU_FROM_CELL] = end_cell,
        [MPU_FROM_LANE] = end_lane,
        [MPU_FROM_REQUEST] = end_request};
    end[a->origin](r, a);
}

/* SPDX-License-Identifier: MIT */
/* Which cells a core keeps that it has read (shared/loan.h): some of each slab. And how it stores
 * into cells of its own that others gave back (shared/afar.h). Where processes share
 * processors they share caches: none is kept, nothing measured. */
#include "request/request.h"
#include "transport/memory.h"

/* What the core keeps, of each slab. The first rank that needs it makes room for all ranks of the
 * core, who may go on when it has ended: memory of a rank stays as long as the cluster. NULL:
 * nothing is kept. */
static struct mpu_loans *loans_of(struct mpu_rank *r)
{
    const struct mpu_place_map *m = &r->cluster->places;
    size_t bytes = (size_t)m->shares * sizeof *r->at_core->loans;
    if (r->at_core->loans || r->cluster->info.oversubscribed || m->shares == 1)
        return r->at_core->loans;
    r->at_core->loans = mpu_alloc(r, bytes);
    if (r->at_core->loans)
        memset(r->at_core->loans, 0, bytes);
    return r->at_core->loans;
}

static struct mpu_slab_cell *take(struct mpu_rank *r, int to, const struct mpu_wire *w)
{
    const struct mpu_place_map *m = &r->cluster->places;
    struct mpu_loans *loans = r->at_core->loans;
    struct mpu_endpoint e = r->cluster->endpoint[to];
    int theirs = mpu_place_number(m, e.cluster, e.core);
    int own = mpu_place_number(m, r->cluster->info.cluster, r->core);
    if (!loans)
        return NULL;
    struct mpu_slab_cell *cell =
        mpu_loan_take(&loans[theirs], (uint32_t)w->size, mpu_memory_use(w));
    return cell ? cell : mpu_loan_take(&loans[own], (uint32_t)w->size, mpu_memory_use(w));
}

/* A cell that its owner waits for is given back, so that the owner is told. It must be where that
 * is this core, which would wait for others to give back what it has itself; another one need not
 * know yet. */
static bool keep(struct mpu_rank *r, struct mpu_slab_cell *cell)
{
    const struct mpu_place_map *m = &r->cluster->places;
    struct mpu_loans *loans = loans_of(r);
    int number = mpu_memory_number(m, cell);
    uint8_t *slab = mpu_place_slab(m, number);
    uint64_t offset = (uint64_t)((const uint8_t *)cell - slab);
    return loans && !mpu_slab_wanted(&m->shape, slab) &&
           mpu_loan_keep(&loans[number], &m->shape, m->shares - 1, offset, cell);
}

/* Where lines are is measured by cores that have a processor for themselves: others are interrupted
 * by those they send to. */
static void store(struct mpu_rank *r, void *to, const void *from, uint64_t n)
{
    struct mpu_afar *afar = &r->at_core->afar;
    if (n < MPU_AFAR_LEAST || r->cluster->info.oversubscribed) {
        memcpy(to, from, n);
        return;
    }
    bool past = mpu_afar_past(afar);
    uint64_t began = k_time_cycles();
    if (past)
        b_copy_past(to, from, n);
    else
        memcpy(to, from, n);
    mpu_afar_took(afar, past, k_time_cycles() - began, n);
}

const struct mpu_lending mpu_lending = {.take = take, .keep = keep, .store = store};

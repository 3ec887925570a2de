/* SPDX-License-Identifier: MIT */
/* Exchanges inside one cluster: all ranks meet in the hall, each reads what is for it straight from
 * the others' buffers, and all meet again before the buffers change.
 *
 *     arrive, "here is my operation" -> [last one: all alike?] -> read -> arrive -> release
 */
#include <mpiutil/machine.h>

#include "coll/coll.h"

/* Whether the operation may read what the ranks have, which lasts until all have read. */
static bool in_one_cluster(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == 1 && c->size > 1;
}

static bool apart(const struct mpi_coll *c)
{
    return in_one_cluster(c) && !c->in_place;
}

static const struct mpi_coll *peer(const struct mpi_coll *c, int rank)
{
    return mpu_hall_shown(c->comm->hall, rank);
}

/* Between buffers of two ranks, with the price of a copy; walks what is no run by both types. */
static void move(struct mpi_coll *c, struct mpi_data from, struct mpi_data to)
{
    uint64_t n = mpi_data_bytes(from);
    if (n != mpi_data_bytes(to) || from.type->kind != MPI_KIND_BASIC ||
        to.type->kind != MPI_KIND_BASIC)
        mpi_coll_copy(c, from, to);
    else if (n)
        mpu_copy(to.buf, from.buf, n);
}

/* Begins with the own block, so that no two ranks read the same one at a time. */
static void read_blocks(struct mpi_coll *c)
{
    for (int i = 0; i < c->size; i++) {
        int from = (c->rank + i) % c->size;
        move(c, mpi_coll_block(&peer(c, from)->send, c->rank), mpi_coll_block(&c->recv, from));
    }
}

static void read_all(struct mpi_coll *c)
{
    for (int i = 0; i < c->size; i++) {
        int from = (c->rank + i) % c->size;
        const struct mpi_coll *other = peer(c, from);
        const struct mpi_side *s = &other->send;
        if (other->in_place && other != c)
            move(c, mpi_coll_block(&other->recv, from), mpi_coll_block(&c->recv, from));
        else if (!other->in_place)
            move(c, (struct mpi_data){s->buf, s->count, s->type}, mpi_coll_block(&c->recv, from));
    }
}

/* All meet, and learn whether all called the same. */
static bool met(struct mpi_coll *c)
{
    if (mpi_hall_meet(c))
        mpi_hall_release(c);
    return mpi_hall_heed(c);
}

/* Nothing is read of ranks that called other operations. */
static bool exchange(struct mpi_coll *c, void (*reads)(struct mpi_coll *c))
{
    if (!mpi_hall_join(c))
        return false;
    mpu_hall_show(c->comm->hall, c->p->rank, c);
    if (met(c)) {
        reads(c);
        met(c);
    }
    return false;
}

static bool blocks(struct mpi_coll *c)
{
    return exchange(c, read_blocks);
}

static bool all(struct mpi_coll *c)
{
    return exchange(c, read_all);
}

const struct mpi_coll_algorithm mpi_coll_alltoall_hall = {
    .name = "alltoall-hall", .counter = "coll.alltoall-hall", .applies = apart, .meet = blocks};
const struct mpi_coll_algorithm mpi_coll_allgather_hall = {.name = "allgather-hall",
                                                           .counter = "coll.allgather-hall",
                                                           .applies = in_one_cluster,
                                                           .meet = all};

/* SPDX-License-Identifier: MIT */
/* Exchanges inside one cluster: all ranks meet in its segment, each reads what is for it straight
 * from the others' buffers, and all meet again before the buffers change.
 *
 *     arrive, "here is my operation" -> [last one: all alike?] -> read -> arrive -> release
 */
#include <mpiutil/machine.h>

#include "coll/segment.h"
#include "coll/peer.h"
#include "coll/round.h"

bool mpi_peer_applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == 1 && c->size > 1;
}

static bool apart(const struct mpi_coll *c)
{
    return mpi_peer_applies(c) && !c->in_place;
}

/* Between buffers of two ranks, with the price of a copy; walks what is no run by both types. */
static void move(struct mpi_coll *c, struct mpi_elements from, struct mpi_elements to)
{
    uint64_t n = mpi_elements_bytes(from);
    if (n && to.type)
        mpi_coll_compare(c, from.type->mark, to.type);
    if (n != mpi_elements_bytes(to) || from.type->kind != MPI_KIND_BASIC ||
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
        move(c, mpi_coll_block(&mpi_peer(c, from)->send, c->rank), mpi_coll_block(&c->recv, from));
    }
}

static void read_all(struct mpi_coll *c)
{
    for (int i = 0; i < c->size; i++) {
        int from = (c->rank + i) % c->size;
        const struct mpi_coll *other = mpi_peer(c, from);
        if (other->in_place && other != c)
            move(c, mpi_coll_block(&other->recv, from), mpi_coll_block(&c->recv, from));
        else if (!other->in_place)
            move(c, mpi_coll_whole(&other->send), mpi_coll_block(&c->recv, from));
    }
}

bool mpi_peer_meet(struct mpi_coll *c, bool may_leave)
{
    if (mpi_segment_meet(c, may_leave))
        mpi_segment_release(c);
    return !c->segment.visit.left && mpi_segment_agreed(c);
}

bool mpi_peer_show(struct mpi_coll *c)
{
    if (!mpi_segment_join(c))
        return false;
    mpu_segment_show(c->comm->segment, c->p->rank, c);
    return mpi_peer_meet(c, true);
}

/* Nobody leaves the second meeting: others read what is here. */
static bool exchange(struct mpi_coll *c, void (*reads)(struct mpi_coll *c))
{
    if (mpi_peer_show(c)) {
        reads(c);
        mpi_peer_meet(c, false);
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

static void read_to_root(struct mpi_coll *c)
{
    for (int i = 0; c->role == MPI_ROLE_ROOT && i < c->size; i++)
        if (i != c->rank || !c->in_place)
            move(c, mpi_coll_whole(&mpi_peer(c, i)->send), mpi_coll_block(&c->recv, i));
}

static void read_from_root(struct mpi_coll *c)
{
    if (c->role != MPI_ROLE_ROOT || !c->in_place)
        move(c, mpi_coll_block(&mpi_peer(c, c->root)->send, c->rank), mpi_coll_whole(&c->recv));
}

static bool to_root(struct mpi_coll *c)
{
    return exchange(c, read_to_root);
}

static bool from_root(struct mpi_coll *c)
{
    return exchange(c, read_from_root);
}

#define PEERS(id, text, when, how)                                                                 \
    const struct mpi_coll_algorithm mpi_coll_##id = {                                              \
        .name = text, .counter = "coll." text, .applies = when, .meet = how}

PEERS(alltoall_peer, "alltoall-peer", apart, blocks);
PEERS(allgather_peer, "allgather-peer", mpi_peer_applies, all);
PEERS(gather_peer, "gather-peer", mpi_peer_applies, to_root);
PEERS(scatter_peer, "scatter-peer", mpi_peer_applies, from_root);

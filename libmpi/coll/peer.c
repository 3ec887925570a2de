/* SPDX-License-Identifier: MIT */
/* Exchanges inside one cluster (peer.h):
 *
 *     arrive, "here is my operation" -> [last one: all alike?] -> read -> arrive -> release
 */
#include <mpiutil/machine.h>

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
static void move(struct mpi_coll *c, struct mpu_copies *copies, struct mpi_elements from,
                 struct mpi_elements to)
{
    uint64_t n = mpi_elements_bytes(&from);
    if (n && to.type)
        mpi_coll_compare(c, from.type->mark, to.type);
    if (n != mpi_elements_bytes(&to) || from.type->kind != MPI_KIND_BASIC ||
        to.type->kind != MPI_KIND_BASIC)
        mpi_coll_copy(c, &from, &to);
    else if (n)
        mpu_copy_also(copies, to.buf, from.buf, n);
}

/* Begins with the own block, so that no two ranks read the same one at a time. */
static void read_all(struct mpi_coll *c, struct mpu_copies *copies)
{
    for (int i = 0; i < c->size; i++) {
        int from = (c->rank + i) % c->size;
        if (from != c->rank || !c->in_place)
            move(c, copies, mpi_coll_given(c, mpi_segment_shown(c, from), c->rank),
                 mpi_coll_block(&c->recv, from));
    }
}

static void read_to_root(struct mpi_coll *c, struct mpu_copies *copies)
{
    if (c->role == MPI_ROLE_ROOT)
        read_all(c, copies);
}

static void read_from_root(struct mpi_coll *c, struct mpu_copies *copies)
{
    if (c->role != MPI_ROLE_ROOT || !c->in_place)
        move(c, copies, mpi_coll_block(&mpi_segment_shown(c, c->root)->send, c->rank),
             mpi_coll_whole(&c->recv));
}

/* Nobody leaves before all have read. */
#define PEERS(id, when, reads)                                                                     \
    static void id##_take(struct mpi_coll *c)                                                      \
    {                                                                                              \
        struct mpu_copies copies;                                                                  \
        mpu_copies_begin(&copies);                                                                 \
        reads(c, &copies);                                                                         \
        mpu_copy_all(&copies);                                                                     \
        mpi_segment_again(c);                                                                      \
    }                                                                                              \
    static const struct mpi_segment_form id##_form = {.leave = mpi_segment_show,                   \
                                                      .take = id##_take};                          \
    const struct mpi_coll_algorithm mpi_coll_##id##_peer = {                                       \
        MPI_COLL_NAMED(#id "-peer"), .applies = when, .meet = mpi_segment_run, .form = &id##_form}

PEERS(alltoall, apart, read_all);
PEERS(allgather, mpi_peer_applies, read_all);
PEERS(gather, mpi_peer_applies, read_to_root);
PEERS(scatter, mpi_peer_applies, read_from_root);

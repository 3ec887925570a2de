/* SPDX-License-Identifier: MIT */
/* Inside one cluster ranks read straight from each other's buffers: each shows its operation, all
 * meet, each reads what is for it, and all meet again before the buffers may change.
 *
 *     arrive, "here is my operation" -> [last one: all alike?] -> read -> arrive -> release
 *
 * Of a reduction each rank reduces its part of the vector, from the buffers of all; for an
 * Allreduce all read the parts of the others then, and meet once more. */
#include <mpiutil/machine.h>

#include "coll/round.h"
#include "coll/segment.h"

/* A blocking operation of ranks that all live here. */
static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters == 1 && c->size > 1;
}

static bool apart(const struct mpi_coll *c)
{
    return applies(c) && !c->in_place;
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

/* What a rank has for this one. */
static inline struct mpi_elements given(const struct mpi_coll *c, int rank)
{
    const struct mpi_coll *giver = mpi_segment_shown(c, rank);
    return c->kind->send == MPI_COLL_WHOLE ? mpi_coll_gather_own(giver)
                                           : mpi_coll_block(&giver->send, c->rank);
}

/* Begins with the own block, so that no two ranks read the same one at a time. */
static void read_all(struct mpi_coll *c, struct mpu_copies *copies)
{
    for (int i = 0; i < c->size; i++) {
        int from = (c->rank + i) % c->size;
        if (from != c->rank || !c->in_place)
            move(c, copies, given(c, from), mpi_coll_block(&c->recv, from));
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
        move(c, copies, given(c, c->root), mpi_coll_whole(&c->recv));
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
PEERS(allgather, applies, read_all);
PEERS(gather, applies, read_to_root);
PEERS(scatter, applies, read_from_root);

/* Reductions ----------------------------------------------------------------------------------- */

bool mpi_peer_reduces(const struct mpi_coll *c)
{
    return applies(c) && c->op->commutative && mpi_coll_is_plain(c);
}

void mpi_peer_reduce(struct mpi_coll *c, int first, MPI_Count from, MPI_Count n, uint8_t *to)
{
    const struct mpi_side *own = mpi_coll_operand(c);
    int members = c->segment.at->members;
    for (int i = 0; n > 0 && i < members; i++) {
        const struct mpi_coll *shown = mpi_segment_shown(c, (first + i) % members);
        const uint8_t *in = mpi_coll_operand(shown)->buf + from * own->extent;
        if (i > 0)
            mpi_op_apply(c->op, own->type, in, to, n);
        else if (in != to)
            mpu_copy(to, in, (size_t)(n * own->extent));
    }
}

/* The first element of part i of as many parts as there are ranks. */
static MPI_Count first_of(const struct mpi_coll *c, int i)
{
    MPI_Count count = mpi_coll_operand(c)->count, each = count / c->size, rest = count % c->size;
    return i * each + (i < rest ? i : rest);
}

static void read_parts(struct mpi_coll *c)
{
    MPI_Count size = mpi_coll_operand(c)->extent;
    struct mpu_copies copies;
    mpu_copies_begin(&copies);
    for (int k = 1; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        MPI_Count from = first_of(c, i), n = first_of(c, i + 1) - from;
        if (n)
            mpu_copy_also(&copies, c->recv.buf + from * size,
                          mpi_segment_shown(c, i)->recv.buf + from * size, (size_t)(n * size));
    }
    mpu_copy_all(&copies);
}

/* Each reduces its part where it belongs, from its own on: no two read one buffer at a time. */
static void by_parts(struct mpi_coll *c)
{
    MPI_Count from = first_of(c, c->rank), n = first_of(c, c->rank + 1) - from;
    mpi_peer_reduce(c, c->rank, from, n, c->recv.buf + from * mpi_coll_operand(c)->extent);
    mpi_segment_again(c);
    read_parts(c);
    mpi_segment_again(c);
}

static const struct mpi_segment_form allreduce_form = {.leave = mpi_segment_show, .take = by_parts};

const struct mpi_coll_algorithm mpi_coll_allreduce_peer = {
    MPI_COLL_NAMED("allreduce-peer"), .applies = mpi_peer_reduces, .meet = mpi_segment_run,
    .form = &allreduce_form};

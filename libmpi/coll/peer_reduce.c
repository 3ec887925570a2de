/* SPDX-License-Identifier: MIT */
/* Reductions inside one cluster: each rank reduces its part of the vector, straight from the
 * buffers of all; then all read the parts of the others.
 *
 *     show -> reduce the own part -> meet -> read the parts of the others -> meet
 */
#include <mpiutil/machine.h>

#include "coll/peer.h"

#define CHUNK 512 /* bytes that are read at a time */

bool mpi_peer_reduces(const struct mpi_coll *c)
{
    return mpi_peer_applies(c) && c->op->commutative && mpi_coll_is_plain(c) &&
           mpi_coll_operand(c)->extent <= CHUNK;
}

/* `inout` is what was reduced so far; with the price of reading `in`, n elements. */
static void fold(struct mpi_coll *c, const uint8_t *in, uint8_t *inout, MPI_Count n)
{
    _Alignas(16) uint8_t chunk[CHUNK];
    MPI_Count size = mpi_coll_operand(c)->extent;
    for (MPI_Count most = CHUNK / size; n > 0; n -= most) {
        MPI_Count now = n < most ? n : most;
        mpu_copy(chunk, in, (size_t)(now * size));
        mpi_op_apply(c->op, mpi_coll_operand(c)->type, chunk, inout, now);
        in += now * size;
        inout += now * size;
    }
}

/* In an order that depends on the rank alone, and in which no two ranks read the same buffer. */
void mpi_peer_reduce(struct mpi_coll *c, MPI_Count from, MPI_Count n, uint8_t *to)
{
    MPI_Count size = mpi_coll_operand(c)->extent;
    const uint8_t *own = mpi_coll_operand(c)->buf + from * size;
    if (n == 0)
        return;
    if (to != own)
        mpu_copy(to, own, (size_t)(n * size));
    for (int i = 1; i < c->size; i++)
        fold(c, mpi_coll_operand(mpi_segment_shown(c, (c->rank + i) % c->size))->buf + from * size,
             to, n);
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

/* Each reduces its part where it belongs. */
static void by_parts(struct mpi_coll *c)
{
    MPI_Count from = first_of(c, c->rank), n = first_of(c, c->rank + 1) - from;
    mpi_peer_reduce(c, from, n, c->recv.buf + from * mpi_coll_operand(c)->extent);
    mpi_segment_again(c);
    read_parts(c);
    mpi_segment_again(c);
}

static const struct mpi_segment_form form = {.leave = mpi_segment_show, .take = by_parts};

const struct mpi_coll_algorithm mpi_coll_allreduce_peer = {MPI_COLL_NAMED("allreduce-peer"),
                                                           .applies = mpi_peer_reduces,
                                                           .meet = mpi_segment_run, .form = &form};

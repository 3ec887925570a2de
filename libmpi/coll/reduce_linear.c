/* SPDX-License-Identifier: MIT */
/* Reduce, of few bytes, by processes that share memory: all send them to the root and go on. Where
 * ranks share processors nobody else waits for a time slice then; where each has its own, nobody
 * waits for a line of the root's. */
#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/round.h"
#include "coll/segment.h"

#define MOST 1024 /* bytes; of more, what the root receives takes longer than the time slices */

/* What leaders reduce in a segment, too. */
static bool applies(const struct mpi_coll *c)
{
    return (mpu_info()->oversubscribed || c->comm->shared) && c->comm->clusters == c->size &&
           c->size > 1 && c->bytes && c->bytes <= MOST && mpi_coll_is_plain(c);
}

/* Where the root has what a rank gives: what the last one does is where the sum is to be, unless
 * the root's own lies there. */
static uint8_t *given(const struct mpi_coll *c, int rank)
{
    if (rank == c->size - 1 && (!c->in_place || rank == c->rank))
        return c->recv.buf;
    return c->vector.in + (uint64_t)rank * c->bytes;
}

static int receive(struct mpi_coll *c, int rank)
{
    const struct mpi_side *own = mpi_coll_operand(c);
    uint8_t *to = given(c, rank);
    if (rank != c->rank)
        return mpi_coll_recv(c, &c->comm->coll, rank, 0,
                             (struct mpi_elements){to, own->count, own->type});
    if (to != own->buf)
        memcpy(to, own->buf, c->bytes);
    return 0;
}

/* In the order in which leaders reduce in a segment: the result is the same, whoever is root. */
static int reduce_all(struct mpi_coll *c)
{
    const struct mpi_side *s = mpi_coll_operand(c);
    uint8_t *sum = given(c, c->size - 1);
    for (int i = c->size - 2; i >= 0; i--)
        mpi_op_apply(c->op, s->type, given(c, i), sum, s->count);
    if (sum != c->recv.buf)
        memcpy(c->recv.buf, sum, c->bytes);
    return MPI_COLL_DONE;
}

static int to_root(struct mpi_coll *c, int k)
{
    if (c->role != MPI_ROLE_ROOT)
        return mpi_coll_last(
            mpi_coll_send(c, &c->comm->coll, c->root, 0, mpi_coll_whole(mpi_coll_operand(c))));
    if (c->step.phase)
        return reduce_all(c);
    if (k == 0 && !(c->vector.in = mpi_coll_temp(c, (uint64_t)c->size * c->bytes)))
        return -B_ENOMEM;
    int rc = mpi_coll_window(c, k, c->size, 1, receive);
    return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
}

const struct mpi_coll_algorithm mpi_coll_reduce_linear = {MPI_COLL_NAMED("reduce-linear"),
                                                          .applies = applies, .round = to_root};

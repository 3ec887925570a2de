/* SPDX-License-Identifier: MIT */
/* Reduce, of few bytes, by processes that share processors: all send them to the root and go on, so
 * nobody else waits for a time slice. */
#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"

#define MOST 1024 /* bytes; of more, what the root receives takes longer than the time slices */

/* What leaders reduce in a segment, too. */
static bool applies(const struct mpi_coll *c)
{
    return mpu_oversubscribed() && c->comm->clusters == c->size && c->size > 1 && c->bytes &&
           c->bytes <= MOST && mpi_coll_is_plain(c);
}

/* Where the root has what a rank gives. */
static uint8_t *given(const struct mpi_coll *c, int rank)
{
    return c->vector.in + (uint64_t)rank * c->bytes;
}

static int begin(struct mpi_coll *c)
{
    mpi_coll_begin_vectors(c);
    if (c->role != MPI_ROLE_ROOT)
        return 0;
    c->vector.in = mpi_coll_temp(c, (uint64_t)c->size * c->bytes);
    return c->vector.in ? 0 : -B_ENOMEM;
}

static int receive(struct mpi_coll *c, int rank)
{
    const struct mpi_elements to = mpi_coll_shape(c, given(c, rank));
    return rank == c->rank ? 0 : mpi_coll_recv(c, &c->comm->coll, rank, 0, to);
}

/* In the order in which leaders reduce in a segment: the result is the same, whoever is root. */
static int reduce_all(struct mpi_coll *c)
{
    uint8_t *sum = given(c, c->size - 1);
    memcpy(given(c, c->rank), c->vector.acc, c->bytes);
    for (int i = c->size - 2; i >= 0; i--)
        mpi_op_apply(c->op, c->vector.type, given(c, i), sum, c->vector.count);
    c->vector.acc = sum;
    mpi_coll_home(c);
    return MPI_COLL_DONE;
}

static int to_root(struct mpi_coll *c, int k)
{
    int rc = k || c->step.phase ? 0 : begin(c);
    if (rc)
        return rc;
    if (c->role != MPI_ROLE_ROOT)
        return mpi_coll_last(mpi_coll_send_acc(c, &c->comm->coll, c->root));
    if (c->step.phase)
        return reduce_all(c);
    rc = mpi_coll_window(c, k, c->size, 1, receive);
    return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
}

const struct mpi_coll_algorithm mpi_coll_reduce_linear = {MPI_COLL_NAMED("reduce-linear"),
                                                          .applies = applies, .round = to_root};

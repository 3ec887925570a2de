/* SPDX-License-Identifier: MIT */
/* Scan and Exscan. */
#include "coll/forms.h"
#include "coll/channel.h"
#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"

/* Before round k acc is what the last 2^k ranks up to this one gave; the 2^k before come from the
 * rank so far back. Where the order is free they are the second operand, which takes the result
 * without another vector. */
static int reach(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int step = 1 << k, rc = 0;
    if (step >= c->size)
        return MPI_COLL_DONE;
    if (c->rank + step < c->size)
        rc = mpi_coll_send_acc(c, on, c->rank + step);
    if (!rc && c->rank - step >= 0)
        rc = mpi_coll_recv_in(c, on, c->rank - step,
                              c->op->commutative ? MPI_FOLD_AFTER : MPI_FOLD_BEFORE);
    return mpi_coll_more(rc);
}

static int doubling(struct mpi_coll *c, int k)
{
    if (k == 0)
        mpi_coll_begin_vectors(c);
    int rc = mpi_coll_fold(c);
    if (!rc)
        rc = reach(c, k);
    if (rc == MPI_COLL_DONE)
        mpi_coll_home(c);
    return rc;
}

static const struct mpi_coll_algorithm inclusive = {MPI_COLL_NAMED("scan-doubling"),
                                                    .round = doubling, .length = mpi_coll_count};

/* Before round k. spare: the same as acc without the own contribution; the first that comes is it.
 * Acc is of no use to who sends nothing any more. */
static int fold_others(struct mpi_coll *c, int k)
{
    bool first = !c->vector.spare, sends = c->rank + (1 << k) < c->size;
    int rc = 0;
    if (c->vector.fold == MPI_FOLD_NOTHING)
        return 0;
    if (!first)
        mpi_op_apply(c->op, c->vector.type, c->vector.in, c->vector.spare, c->vector.count);
    else
        c->vector.fold = MPI_FOLD_BEFORE; /* which leaves it as it is */
    if (sends)
        rc = mpi_coll_fold(c);
    c->vector.fold = MPI_FOLD_NOTHING;
    if (first) {
        c->vector.spare = c->vector.in;
        c->vector.in = NULL;
    }
    return rc;
}

static int exclusive_doubling(struct mpi_coll *c, int k)
{
    if (k == 0)
        mpi_coll_begin_vectors(c);
    int rc = fold_others(c, k);
    if (!rc)
        rc = reach(c, k);
    if (rc == MPI_COLL_DONE && c->vector.spare)
        mpi_coll_copy_vector(c, c->vector.spare, c->vector.home);
    return rc;
}

static const struct mpi_coll_algorithm exclusive = {
    MPI_COLL_NAMED("exscan-doubling"), .round = exclusive_doubling, .length = mpi_coll_count};

#define KIND(name, NAME, by_messages)                                                              \
    const struct mpi_coll_kind mpi_coll_##name = {                                                 \
        .id = MPI_COLL_##NAME,                                                                     \
        .alike = true,                                                                             \
        .where = MPI_COLL_INTRA,                                                                   \
        .send = MPI_COLL_PIECE,                                                                    \
        .recv = MPI_COLL_PIECE,                                                                    \
        .check_op = mpi_coll_check_op,                                                             \
        .intra = MPI_COLL_TABLE(&mpi_coll_##name##_segment, &mpi_coll_##name##_long,               \
                                &mpi_coll_##name##_channel, &by_messages)}
KIND(scan, SCAN, inclusive);
KIND(exscan, EXSCAN, exclusive);

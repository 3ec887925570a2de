/* SPDX-License-Identifier: MIT */
/* Scan and Exscan. */
#include "coll/forms.h"
#include "coll/channel.h"
#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"

static int begin(struct mpi_coll *c)
{
    return mpi_coll_vectors(c, c->recv.type, c->recv.count, c->in_place ? c->recv.buf : c->send.buf,
                            c->recv.buf);
}

static MPI_Count length(const struct mpi_coll *c)
{
    return c->recv.count;
}

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
    int rc = k ? mpi_coll_fold(c) : begin(c);
    if (!rc)
        rc = reach(c, k);
    if (rc == MPI_COLL_DONE)
        mpi_coll_home(c);
    return rc;
}

static const struct mpi_coll_algorithm inclusive = {MPI_COLL_NAMED("scan-doubling"),
                                                    .round = doubling, .length = length};

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
    int rc = k ? fold_others(c, k) : begin(c);
    if (!rc)
        rc = reach(c, k);
    if (rc == MPI_COLL_DONE && c->vector.spare)
        mpi_coll_copy_vector(c, c->vector.spare, c->vector.home);
    return rc;
}

static const struct mpi_coll_algorithm exclusive = {MPI_COLL_NAMED("exscan-doubling"),
                                                    .round = exclusive_doubling, .length = length};

const struct mpi_coll_kind mpi_coll_scan = {
    .id = MPI_COLL_SCAN,
    .alike = true,
    .where = MPI_COLL_INTRA,
    .send = MPI_COLL_PIECE,
    .recv = MPI_COLL_PIECE,
    .check_op = mpi_coll_check_op,
    .intra = MPI_COLL_TABLE(&mpi_coll_scan_segment, &mpi_coll_scan_long, &mpi_coll_scan_channel,
                            &inclusive)};

const struct mpi_coll_kind mpi_coll_exscan = {
    .id = MPI_COLL_EXSCAN,
    .alike = true,
    .where = MPI_COLL_INTRA,
    .send = MPI_COLL_PIECE,
    .recv = MPI_COLL_PIECE,
    .check_op = mpi_coll_check_op,
    .intra = MPI_COLL_TABLE(&mpi_coll_exscan_segment, &mpi_coll_exscan_long,
                            &mpi_coll_exscan_channel, &exclusive)};

/* SPDX-License-Identifier: MIT */
/* Scan and Exscan. */
#include <mpiutil/machine.h>

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

static int doubling(struct mpi_coll *c, int k)
{
    bool exclusive = c->kind->id == MPI_COLL_EXSCAN;
    if (k == 0)
        mpi_coll_begin_vectors(c);
    int rc = exclusive ? fold_others(c, k) : mpi_coll_fold(c);
    if (!rc)
        rc = reach(c, k);
    if (rc == MPI_COLL_DONE && !exclusive)
        mpi_coll_home(c);
    else if (rc == MPI_COLL_DONE && c->vector.spare)
        mpi_coll_copy_vector(c, c->vector.spare, c->vector.home);
    return rc;
}

/* Where ranks share processors what they do together counts, not in how many steps. Each has from
 * the rank before it what all before gave, and sends that with its own to the next one: once, where
 * by doubling it sends once for each power of two. It goes in chunks, so that several ranks have
 * something to do at once. */
static bool shares_processors(const struct mpi_coll *c)
{
    (void)c;
    return mpu_info()->oversubscribed;
}

#define CHAIN_CHUNK (64 << 10) /* bytes; from 16 KB to 128 KB there is little difference */

static MPI_Count chain_chunk(const struct mpi_coll *c)
{
    const struct mpi_type *type = mpi_coll_operand(c)->type;
    MPI_Count most = mpi_coll_chunk_of(c);
    MPI_Count n = CHAIN_CHUNK / (type->size > 1 ? type->size : 1);
    return n < 1 ? 1 : n < most ? n : most;
}

/* Round 0: what all before gave comes into `in`. */
static int from_before(struct mpi_coll *c, enum mpi_coll_fold how)
{
    mpi_coll_begin_vectors(c);
    return mpi_coll_more(c->rank ? mpi_coll_recv_in(c, &c->comm->coll, c->rank - 1, how) : 0);
}

static int along(struct mpi_coll *c, int k)
{
    if (k == 0)
        return from_before(c, c->op->commutative ? MPI_FOLD_AFTER : MPI_FOLD_BEFORE);
    int rc = mpi_coll_fold(c);
    if (rc)
        return rc;
    mpi_coll_home(c);
    return c->rank + 1 < c->size ? mpi_coll_send_acc(c, &c->comm->coll, c->rank + 1) : 0;
}

/* What came is the result. Its place may hold what is sent, so it waits until that has gone. */
static int exclusive_along(struct mpi_coll *c, int k)
{
    bool last = c->rank + 1 == c->size;
    if (k == 0)
        return from_before(c, last ? MPI_FOLD_NOTHING : MPI_FOLD_BEFORE);
    if (k == 1 && !last) {
        int rc = mpi_coll_fold(c);
        return mpi_coll_more(rc ? rc : mpi_coll_send_acc(c, &c->comm->coll, c->rank + 1));
    }
    if (c->rank)
        mpi_coll_copy_vector(c, c->vector.in, c->vector.home);
    return MPI_COLL_DONE;
}

/* The standard looks at no buffer for what rank 0 gets, which may be NULL (6.11.2): only its shape
 * counts, that of what the rank gives. In place the buffer is what it gives. */
static int check_exclusive(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    if (c->rank || a->send.buf == MPI_IN_PLACE)
        return mpi_coll_check(c, a);
    int rc = mpi_coll_check_side(c, &c->send, &a->send, MPI_COLL_ONE, "sendbuf");
    if (rc)
        return rc;
    c->bytes = (uint64_t)c->send.count * (uint64_t)c->send.type->size;
    c->recv = c->send;
    c->recv.buf = NULL;
    mpi_type_retain(c->recv.type);
    return mpi_coll_check_op(c, a->op, c->send.type);
}

#define KIND(name, NAME, checked, by_chain)                                                        \
    static const struct mpi_coll_algorithm name##_doubling = {                                     \
        MPI_COLL_NAMED(#name "-doubling"), .round = doubling, .length = mpi_coll_count};           \
    static const struct mpi_coll_algorithm name##_chain = {                                        \
        MPI_COLL_NAMED(#name "-chain"), .applies = shares_processors, .round = by_chain,           \
        .length = mpi_coll_count, .chunk = chain_chunk};                                           \
    const struct mpi_coll_kind mpi_coll_##name = {                                                 \
        .id = MPI_COLL_##NAME,                                                                     \
        .send = MPI_COLL_WHOLE,                                                                    \
        .recv = MPI_COLL_WHOLE,                                                                    \
        .check_op = mpi_coll_check_op,                                                             \
        .check = checked,                                                                          \
        .intra = MPI_COLL_TABLE(&mpi_coll_##name##_segment, &mpi_coll_##name##_long,               \
                                &mpi_coll_##name##_channel, &name##_chain, &name##_doubling)}
KIND(scan, SCAN, NULL, along);
KIND(exscan, EXSCAN, check_exclusive, exclusive_along);

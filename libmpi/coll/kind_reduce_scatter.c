/* SPDX-License-Identifier: MIT */
/* Reduce_scatter and Reduce_scatter_block: the vector has one part per rank of the own group. */
#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/channel.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/vectors.h"

static MPI_Count part_length(const struct mpi_coll *c, int i)
{
    return c->recv.counts.at ? mpi_number(&c->recv.counts, i) : c->recv.count;
}

static MPI_Count before(const struct mpi_coll *c, int i)
{
    MPI_Count n = 0;
    if (!c->recv.counts.at)
        return i * c->recv.count;
    while (i-- > 0)
        n += part_length(c, i);
    return n;
}

uint64_t mpi_coll_own_part(const struct mpi_coll *c, uint64_t *at)
{
    uint64_t extent = (uint64_t)c->recv.extent;
    *at = (uint64_t)before(c, c->rank) * extent;
    return (uint64_t)c->recv.count * extent;
}

/* All counts, and their sum; in *all. */
static int check_counts(struct mpi_coll *c, const struct mpi_coll_side_args *a, MPI_Count *all)
{
    if (a->shape != MPI_COLL_EVEN && !a->counts.at)
        return mpi_error(c->comm, MPI_ERR_ARG, c->call, "recvcounts is a null pointer");
    *all = 0;
    for (int i = 0; i < c->size; i++) {
        MPI_Count n = a->counts.at ? mpi_number(&a->counts, i) : a->count;
        if (n < 0 || __builtin_add_overflow(*all, n, all))
            return mpi_error(c->comm, MPI_ERR_COUNT, c->call,
                             "count %lld of rank %d is negative or too large", (long long)n, i);
    }
    return MPI_SUCCESS;
}

/* send: the whole vector, also in place; recv: the own part. */
static int check(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    c->in_place = a->send.buf == MPI_IN_PLACE && !c->comm->inter;
    struct mpi_coll_side_args part = a->recv, whole = a->recv;
    int rc = check_counts(c, &a->recv, &whole.count);
    if (rc)
        return rc;
    part.count = a->recv.counts.at ? mpi_number(&a->recv.counts, c->rank) : a->recv.count;
    part.shape = whole.shape = MPI_COLL_EVEN; /* recv keeps the array all the same */
    whole.buf = c->in_place ? a->recv.buf : a->send.buf;
    if ((rc = mpi_coll_check_side(c, &c->recv, &part, MPI_COLL_ONE, "recvbuf")) ||
        (rc = mpi_coll_check_side(c, &c->send, &whole, MPI_COLL_ONE, "sendbuf")) ||
        (rc = mpi_coll_check_apart(c, a)))
        return rc;
    mpi_coll_add_blocks(c, c->size);
    return mpi_coll_check_op(c, a->op, c->recv.type);
}

/* Elements of the chunk under way that are in the part of n elements at `from`; *skipped: those of
 * the part before them. */
static MPI_Count overlap(const struct mpi_coll *c, MPI_Count from, MPI_Count n, MPI_Count *skipped)
{
    MPI_Count low = from > c->chunk.at ? from : c->chunk.at, end = c->chunk.at + c->vector.count;
    MPI_Count high = from + n < end ? from + n : end;
    *skipped = low - from;
    return high > low ? high - low : 0;
}

/* `n` elements of a vector, from number `first` on. */
static struct mpi_elements some(const struct mpi_coll *c, const uint8_t *vector, MPI_Count first,
                                MPI_Count n)
{
    return (struct mpi_elements){(void *)((uintptr_t)vector + (uintptr_t)(first * c->recv.extent)),
                                 n, c->recv.type};
}

/* Part i of a vector. */
static struct mpi_elements part(const struct mpi_coll *c, const uint8_t *vector, int i)
{
    return some(c, vector, before(c, i), part_length(c, i));
}

/* What acc begins with goes to where it belongs. */
static void bring(struct mpi_coll *c, struct mpi_elements to)
{
    const struct mpi_elements from = some(c, c->vector.acc, 0, to.count);
    mpi_coll_copy(c, &from, &to);
}

/* Member 0 of the local group has a chunk of the result in acc. Member i gets what is in its
 * part. */
static int hand(struct mpi_coll *c, int i)
{
    MPI_Count skipped, from = before(c, i), n = overlap(c, from, part_length(c, i), &skipped);
    if (n && i > 0)
        return mpi_coll_send(c, &c->comm->local, i, 1,
                             some(c, c->vector.acc, from + skipped - c->chunk.at, n));
    if (n)
        bring(c, some(c, c->recv.buf, skipped, n));
    return 0;
}

static int hand_out(struct mpi_coll *c, int k)
{
    if (c->rank == 0)
        return mpi_coll_window(c, k, c->size, 1, hand);
    MPI_Count skipped, n = overlap(c, before(c, c->rank), c->recv.count, &skipped);
    if (k || !n)
        return MPI_COLL_DONE;
    return mpi_coll_more(mpi_coll_recv(c, &c->comm->local, 0, 1, some(c, c->recv.buf, skipped, n)));
}

/* Reduce, then scatter; two groups exchange their results in between. */
static int by_tree(struct mpi_coll *c, int k)
{
    if (k == 0 && c->step.phase == 0)
        mpi_coll_vectors(c, mpi_coll_whole(&c->send), NULL);
    return c->step.phase < 2 ? mpi_coll_reduce_groups(c, k) : hand_out(c, k);
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("reduce-scatter-tree"),
                                               .round = by_tree, .length = mpi_coll_count};

static bool large(const struct mpi_coll *c)
{
    uint64_t limit = mpi_coll_limit(c, MPU_TUNE_REDUCE_SCATTER_PARTS);
    return c->bytes / (uint64_t)c->size >= limit && c->op->commutative;
}

static MPI_Count longest(const struct mpi_coll *c)
{
    MPI_Count most = 0;
    for (int i = 0; i < c->size; i++)
        most = part_length(c, i) > most ? part_length(c, i) : most;
    return most;
}

/* In step s every rank sends the part of the rank s ahead straight to it. */
static int parts(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, me = c->rank, step = k + 1, to = (me + step) % size;
    int rc = k ? mpi_coll_fold(c) : 0;
    if (k == 0)
        mpi_coll_vectors(c, part(c, c->send.buf, me), c->in_place ? NULL : c->recv.buf);
    if (rc)
        return rc;
    if (step >= size) {
        bring(c, mpi_coll_chunk(c, mpi_coll_whole(&c->recv)));
        return MPI_COLL_DONE;
    }
    rc = mpi_coll_recv_in(c, on, (me + size - step) % size, MPI_FOLD_AFTER);
    return mpi_coll_more(
        rc ? rc : mpi_coll_send(c, on, to, 0, mpi_coll_chunk(c, part(c, c->send.buf, to))));
}

static const struct mpi_coll_algorithm by_parts = {
    MPI_COLL_NAMED("reduce-scatter-parts"), .applies = large, .round = parts, .length = longest};

/* Where ranks share processors each of its steps costs all of them a time slice; in the tree
 * most need two in all. */
static bool halves(const struct mpi_coll *c)
{
    return c->op->commutative && !mpu_info()->oversubscribed;
}

/* How many parts a rank still has a sum of after so many steps: a half, rounded up, of those before
 * each. */
static int parts_left(const struct mpi_coll *c, int steps)
{
    int n = c->size;
    while (steps-- > 0)
        n = (n + 1) / 2;
    return n;
}

/* Elements of the chunk in the first n parts, counted round from the own one. */
static MPI_Count ahead(const struct mpi_coll *c, int n)
{
    MPI_Count all = 0;
    for (int i = 0; i < n; i++) {
        MPI_Count left = part_length(c, (c->rank + i) % c->size) - c->chunk.at;
        all += left < 0 ? 0 : left < c->chunk.n ? left : c->chunk.n;
    }
    return all;
}

/* The parts of the chunk in that order, into a vector of their own. */
static int turn_vector(struct mpi_coll *c)
{
    MPI_Count at = 0;
    c->vector.type = c->recv.type;
    c->vector.in = NULL;
    c->vector.acc = mpi_coll_vector(c, ahead(c, c->size));
    for (int i = 0; c->vector.acc && i < c->size; i++) {
        struct mpi_elements own = part(c, c->send.buf, (c->rank + i) % c->size);
        own = mpi_coll_chunk(c, own);
        const struct mpi_elements to = some(c, c->vector.acc, at, own.count);
        mpi_coll_copy(c, &own, &to);
        at += own.count;
    }
    return c->vector.acc ? 0 : -B_ENOMEM;
}

/* In each step a rank gives what it has of the farther half of the parts that are left to who is
 * that far ahead, whose nearer half they are, and reduces what comes from behind with its nearer
 * half; the own part is left at last. Any number of ranks takes as many steps as the next power of
 * two, and each gives as much as by parts, in few messages (Traeff, 2024). */
static int halving(struct mpi_coll *c, int k)
{
    int left = parts_left(c, k), next = parts_left(c, k + 1);
    MPI_Count came = k ? ahead(c, parts_left(c, k - 1) - left) : 0, near = ahead(c, next);
    int rc = k ? 0 : turn_vector(c);
    if (rc)
        return rc;
    if (came)
        mpi_op_apply(c->op, c->vector.type, c->vector.in, c->vector.acc, came);
    if (left == 1) {
        bring(c, mpi_coll_chunk(c, mpi_coll_whole(&c->recv)));
        return MPI_COLL_DONE;
    }
    if (!c->vector.in && !(c->vector.in = mpi_coll_vector(c, ahead(c, left - next))))
        return -B_ENOMEM;
    struct mpi_elements far = some(c, c->vector.acc, near, ahead(c, left) - near);
    return mpi_coll_shift(c, &c->comm->coll, next, 0, c->error ? mpi_coll_nothing() : far,
                          some(c, c->vector.in, 0, ahead(c, left - next)));
}

/* The vectors have a chunk of each part. */
static MPI_Count chunk_of_part(const struct mpi_coll *c)
{
    MPI_Count n = mpi_coll_chunk_of(c);
    return n == INT64_MAX ? n : n / c->size ? n / c->size : 1;
}

static const struct mpi_coll_algorithm by_halves = {MPI_COLL_NAMED("reduce-scatter-halving"),
                                                    .applies = halves, .round = halving,
                                                    .length = longest, .chunk = chunk_of_part};

/* In place each needs memory for its part: the result lies where others still read. */
static bool straight(const struct mpi_coll *c)
{
    return mpi_peer_reduces(c) &&
           (!c->in_place || (uint64_t)(longest(c) * c->recv.extent) <= mpi_coll_share());
}

static void peers(struct mpi_coll *c)
{
    MPI_Count n = c->recv.count;
    uint64_t bytes = (uint64_t)(n * c->recv.extent);
    uint8_t *to = c->in_place ? mpi_coll_temp(c, bytes) : c->recv.buf;
    if (to)
        mpi_peer_reduce(c, c->rank, before(c, c->rank), n, to);
    else if (n)
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
    mpi_segment_again(c);
    if (to && to != c->recv.buf && n)
        mpi_move(c->recv.buf, to, bytes);
}

static const struct mpi_segment_form form = {.leave = mpi_segment_show, .take = peers};
static const struct mpi_coll_algorithm by_peers = {MPI_COLL_NAMED("reduce-scatter-peer"),
                                                   .applies = straight, .meet = mpi_segment_run,
                                                   .form = &form};

#define KIND(name, NAME)                                                                           \
    const struct mpi_coll_kind mpi_coll_##name = {                                                 \
        .id = MPI_COLL_##NAME,                                                                     \
        .check = check,                                                                            \
        .intra = MPI_COLL_TABLE(&mpi_coll_reduce_scatter_segment, &by_peers,                       \
                                &mpi_coll_reduce_scatter_long, &mpi_coll_reduce_scatter_channel,   \
                                &by_parts, &by_halves, &tree),                                     \
        .inter = MPI_COLL_TABLE(&tree)}
KIND(reduce_scatter, REDUCE_SCATTER);
KIND(reduce_scatter_block, REDUCE_SCATTER_BLOCK);

/* SPDX-License-Identifier: MIT */
/* Barrier, broadcast, reduction of few bytes in shared memory: segment.c. */
#include <base/mem.h>

#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"

static bool meets(const struct mpi_coll *c)
{
    return c->blocking && (c->comm->clusters < c->size || c->comm->shared);
}

/* Between processes that share memory it is a multicast (multicast.c). */
static bool broadcasts(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters < c->size && c->bytes <= c->comm->short_most;
}

bool mpi_segment_reduces(const struct mpi_coll *c)
{
    return mpi_coll_span(c) <= c->comm->short_most && c->op->commutative &&
           mpi_coll_is_predefined(c);
}

static bool reduces(const struct mpi_coll *c)
{
    return meets(c) && mpi_segment_reduces(c);
}

static const struct mpu_result *result(const struct mpi_coll *c)
{
    return mpu_segment_result(c->segment.at, &c->segment.visit);
}

/* What a round of the leaders returned: after the last one all take the result. */
static int round_ends(struct mpi_coll *c, int rc)
{
    if (rc == MPI_COLL_DONE && c->messages.n)
        return MPI_COLL_MORE; /* what is under way is awaited first */
    if (rc == MPI_COLL_DONE)
        mpi_segment_finish(c);
    return rc;
}

#define SEGMENT(id, when, how, then)                                                               \
    const struct mpi_coll_algorithm mpi_coll_##id##_segment = {                                    \
        MPI_COLL_NAMED(#id "-segment"), .applies = when, .meet = mpi_segment_run, .form = how,     \
        .round = then}

/* Barrier ------------------------------------------------------------------------------------- */

static int barrier(struct mpi_coll *c, int k)
{
    return round_ends(c, mpi_coll_disseminate(c, &c->segment.leaders, k));
}

const struct mpi_segment_form mpi_segment_barrier_form = {0};
SEGMENT(barrier, meets, &mpi_segment_barrier_form, barrier);

/* Broadcast ----------------------------------------------------------------------------------- */

static int root_cluster(const struct mpi_coll *c)
{
    return c->segment.at->position[c->root].cluster;
}

static void take_packed(struct mpi_coll *c)
{
    const struct mpu_result *from = result(c);
    if (c->role == MPI_ROLE_ROOT)
        return;
    const struct mpi_elements to = mpi_coll_whole(&c->recv);
    mpi_coll_unpack(from->bytes, &to);
    mpi_coll_compare(c, from->mark, c->recv.type);
}

/* The root writes the result before it arrives: who might still read was released before. */
static void put(struct mpi_coll *c)
{
    struct mpu_result *to = mpu_segment_next(c->segment.at);
    const struct mpi_elements own = mpi_coll_whole(&c->recv);
    if (c->role != MPI_ROLE_ROOT)
        return;
    to->mark = c->bytes ? c->messages.element : 0;
    mpi_coll_pack(&own, to->bytes);
}

static int bcast(struct mpi_coll *c, int k)
{
    int root = root_cluster(c);
    if (k == 0 && root != c->segment.at->cluster)
        mpu_segment_next(c->segment.at)->mark = c->bytes ? c->messages.element : 0;
    const struct mpi_elements all = mpi_coll_bytes(mpi_segment_next(c), c->bytes);
    return round_ends(c, mpi_coll_tree_down(c, &c->segment.leaders, root, k, &all));
}

static const struct mpi_segment_form bcast_form = {.leave = put, .take = take_packed};
SEGMENT(bcast, broadcasts, &bcast_form, bcast);

/* Reductions ---------------------------------------------------------------------------------- */

/* One vector of all operands is halved until one is left: element i with the one half as many ranks
 * further. The order depends on nothing but the number of ranks. */
static void halve(const struct mpi_coll *c, uint8_t *all, int n)
{
    int count = (int)mpi_coll_operand(c)->count;
    while (n > 1) {
        int half = n / 2;
        mpi_op_apply(c->op, mpi_coll_operand(c)->type,
                     all + (uint64_t)(n - half) * mpi_coll_span(c), all, half * count);
        n -= half;
    }
}

/* What all in the segment gave, reduced, is its next result. After an error what is the leader's
 * must do. */
static void combine(struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    uint8_t *sum = mpi_segment_next(c);
    uint64_t span = mpi_coll_span(c);
    if (span == 0)
        return;
    if (c->error) {
        memcpy(sum, mpi_coll_operand(c)->buf, span);
    } else if (span <= MPU_SEGMENT_OPERAND) {
        uint8_t *all = mpu_segment_operands(s, span);
        halve(c, all, s->members);
        mpi_move(sum, all, span);
    } else {
        mpi_move(sum, mpu_segment_shown(s, s->members - 1), span);
        for (int i = s->members - 2; i >= 0; i--)
            mpi_op_apply(c->op, mpi_coll_operand(c)->type, mpu_segment_shown(s, i), sum,
                         mpi_coll_operand(c)->count);
    }
}

/* Everyone stays until the release, as its contribution must. */
static void leave(struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    uint64_t span = mpi_coll_span(c);
    if (span > MPU_SEGMENT_OPERAND)
        mpu_segment_show(s, c->p->rank, mpi_coll_operand(c)->buf);
    else if (span)
        mpi_move(mpu_segment_operand(s, c->p->rank, span), mpi_coll_operand(c)->buf, span);
}

/* Where a leader finds what its cluster gave, reduced. */
static const void *cluster_sum(const struct mpi_coll *c)
{
    return mpu_segment_alone(c->segment.at) ? mpi_coll_operand(c)->buf : mpi_segment_next(c);
}

/* Where it finds what all gave, after a meeting of the leaders in shared memory. The program's gaps
 * stay as they are. */
static uint8_t *leaders_sum(const struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    if (!s->each)
        return mpu_leaders_result(s);
    return mpu_segment_alone(s) && !mpi_coll_has_gaps(c) ? c->recv.buf : mpi_segment_next(c);
}

/* So many elements of the sum, from byte `at` on: all, or a rank's part of a Reduce_scatter.
 * Numbers, no struct: a processor that reads in one go what was written in parts waits until all
 * that was written before is in its cache, also what the leader gave, whose lines others have. */
static void take_some(struct mpi_coll *c, uint64_t at, MPI_Count count)
{
    const struct mpu_segment *s = c->segment.at;
    const struct mpi_type *type = c->recv.type;
    const uint8_t *from = mpu_segment_alone(s) && s->shared ? leaders_sum(c) : result(c)->bytes;
    if (count == 0 || from == c->recv.buf)
        return;
    if (mpi_coll_has_gaps(c))
        mpi_type_copy(type, count, from + at, type, count, c->recv.buf);
    else
        mpi_move(c->recv.buf, from + at, (uint64_t)count * (uint64_t)type->size);
}

static void take(struct mpi_coll *c)
{
    take_some(c, 0, mpi_coll_operand(c)->count);
}

static void take_part(struct mpi_coll *c)
{
    uint64_t at;
    mpi_coll_own_part(c, &at);
    take_some(c, at, c->recv.count);
}

static void take_root(struct mpi_coll *c)
{
    if (c->role == MPI_ROLE_ROOT)
        take(c);
}

static void give_sum(struct mpi_coll *c, uint8_t *to)
{
    uint64_t span = mpi_coll_span(c);
    if (span)
        memcpy(to, cluster_sum(c), span);
}

/* In the order of clusters. What its own gave is read where it was (mpu_leaders_given), unless the
 * sum is there. */
static void combine_some(struct mpi_coll *c, uint64_t at, uint64_t bytes, MPI_Count count)
{
    const struct mpi_type *type = mpi_coll_operand(c)->type;
    const struct mpu_segment *s = c->segment.at;
    uint8_t *sum = leaders_sum(c);
    const uint8_t *own = cluster_sum(c);
    bool there = own == sum;
    if (bytes == 0)
        return;
    for (int i = s->clusters - 1; i >= 0; i--) {
        const uint8_t *given = i == s->cluster && !there ? own : mpu_leaders_given(s, i);
        if (i == s->clusters - 1)
            memcpy(sum, given + at, bytes);
        else
            mpi_op_apply(c->op, type, given + at, sum, count);
    }
}

static void combine_leaders(struct mpi_coll *c)
{
    combine_some(c, 0, mpi_coll_span(c), mpi_coll_operand(c)->count);
}

/* Who closes for itself alone needs no more than its part, which it reduces where it belongs. */
static void combine_part(struct mpi_coll *c)
{
    uint64_t at, bytes = mpi_coll_own_part(c, &at);
    if (leaders_sum(c) == c->recv.buf)
        combine_some(c, at, bytes, c->recv.count);
    else
        combine_leaders(c);
}

/* Leaders that each close for themselves: only the root's needs the sum. */
static void combine_for_root(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    if (!s->each || root_cluster(c) == s->cluster)
        combine_leaders(c);
}

/* For the others of its cluster. */
static void bring(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    if (!s->each && !mpu_segment_alone(s))
        memcpy(mpi_segment_next(c), leaders_sum(c), mpi_coll_span(c));
}

/* The leaders: from what their clusters gave. */
static int reduce_up(struct mpi_coll *c, int root, int k)
{
    struct mpi_elements own = mpi_coll_whole(mpi_coll_operand(c));
    own.buf = (void *)(uintptr_t)cluster_sum(c);
    if (k == 0)
        mpi_coll_vectors(c, own, mpi_segment_next(c));
    int rc = mpi_coll_reduce_tree(c, &c->segment.leaders, root, k);
    if (rc == MPI_COLL_DONE)
        mpi_coll_home(c);
    return rc;
}

static int reduce(struct mpi_coll *c, int k)
{
    return round_ends(c, reduce_up(c, root_cluster(c), k));
}

/* What all of them do; they differ in who combines and takes how much of what the clusters gave. */
#define REDUCES .leave = leave, .close = combine, .give = give_sum, .bring = bring

static const struct mpi_segment_form reduce_form = {REDUCES, .combine = combine_for_root,
                                                    .take = take_root};
SEGMENT(reduce, reduces, &reduce_form, reduce);

static int allreduce(struct mpi_coll *c, int k)
{
    if (c->step.phase == 0) {
        int rc = reduce_up(c, 0, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    const struct mpi_elements sum = mpi_coll_shape(c, c->vector.home);
    return round_ends(c, mpi_coll_tree_down(c, &c->segment.leaders, 0, k, &sum));
}

const struct mpi_segment_form mpi_segment_allreduce_form = {REDUCES, .combine = combine_leaders,
                                                            .take = take};
SEGMENT(allreduce, reduces, &mpi_segment_allreduce_form, allreduce);

/* All of the sum goes to each cluster, as in an Allreduce. */
const struct mpi_segment_form mpi_segment_reduce_scatter_form = {REDUCES, .combine = combine_part,
                                                                 .take = take_part};
SEGMENT(reduce_scatter, reduces, &mpi_segment_reduce_scatter_form, allreduce);

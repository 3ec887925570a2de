/* SPDX-License-Identifier: MIT */
/* Cluster-aware collectives of few bytes: the ranks of a cluster meet in a hall in its memory. If
 * all live there, the last one to come reads what they gave and leaves the result; else the leader
 * does, and meets the leaders of other clusters by messages in between.
 *
 *     arrive -> [last one: combine] -> release
 *     arrive -> [leader: combine] -> [leaders: tree] -> release
 *
 * Only blocking operations: of these a rank has one at a time, so arrivals cannot mix. */
#include <base/error.h>
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/forms.h"
#include "coll/hall.h"
#include "coll/now.h"
#include "coll/round.h"
#include "coll/vectors.h"

bool mpi_coll_in_halls(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters < c->size &&
           c->bytes <= mpi_coll_limit(c, MPU_TUNE_HALL_LIMIT);
}

static bool same_size(const struct mpi_coll *c)
{
    const struct mpi_side *s = c->recv.type ? &c->recv : &c->send;
    return s->extent == s->type->size;
}

static bool reduces(const struct mpi_coll *c)
{
    return mpi_coll_in_halls(c) && c->op->handle && c->op->commutative && same_size(c);
}

static struct mpu_hall *hall(const struct mpi_coll *c)
{
    return c->comm->hall;
}

bool mpi_hall_join(struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    struct mpu_hall *h = comm->hall;
    if (!h)
        h = comm->hall = mpu_hall_join(c->p->rank, &comm->coll);
    if (!h) {
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
        return false;
    }
    comm->at_once = !LWMPI_SMALL && h->clusters == 1 && !h->traced ? h : NULL;
    c->leaders = (struct mpu_comm){.context = comm->coll.context,
                                   .rank = h->cluster,
                                   .size = h->clusters,
                                   .world = h->leaders,
                                   .name = comm->coll.name};
    return true;
}

static const struct mpi_type *type_of(const struct mpi_coll *c)
{
    return c->recv.type ? c->recv.type : c->send.type;
}

/* Alone: nobody else of the cluster is at this operation, or will be. */
static bool left(struct mpi_coll *c)
{
    mpi_coll_fail(c, MPI_ERR_OTHER);
    mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
    return false;
}

bool mpi_hall_meet(struct mpi_coll *c, bool may_leave)
{
    struct mpu_said said = {c->kind, c->bytes, mpi_hall_terms(c->root, c->op, type_of(c))};
    c->visit = (struct mpu_visit){.number = mpi_coll_number_of(c),
                                  .doubts = may_leave ? mpi_coll_doubts : NULL,
                                  .arg = c,
                                  .left = may_leave && mpi_coll_doubts(c)};
    bool closes = !c->visit.left && mpu_hall_meet(hall(c), c->p->rank, &said, &c->visit, c->call,
                                                  c->comm->coll.name) == MPU_MET_LAST;
    if (c->visit.left)
        return left(c);
    if (closes && !mpu_hall_alike(hall(c), c->p->rank, &c->told)) {
        mpi_coll_fail(c, mpi_hall_differs(&said, &c->told));
        if (hall(c)->clusters > 1)
            mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
    }
    return closes;
}

int mpi_hall_differs(const struct mpu_said *mine, const struct mpu_told *told)
{
    uint64_t other = told->bytes != mine->bytes ? told->bytes : told->other;
    if ((told->kind && told->kind != mine->kind) || other == mine->bytes)
        return MPI_ERR_OTHER;
    return other > mine->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
}

/* Whether the meeting goes on, by the rounds of the leaders. */
static bool goes_on(const struct mpi_coll *c)
{
    return hall(c)->clusters > 1;
}

/* An error of the leader is one of all; one that the closing rank made is its own. */
void mpi_hall_release(struct mpi_coll *c)
{
    c->holds = false;
    if (c->error && goes_on(c))
        c->told.kind = NULL;
    mpu_hall_release(hall(c), c->p->rank, &c->told);
}

/* Who is right is not known: if the ranks disagree nobody has a result. */
bool mpi_hall_heed(struct mpi_coll *c)
{
    const struct mpu_told *told = mpu_hall_told(hall(c), &c->visit);
    if (told->kind == c->kind && told->bytes == c->bytes)
        return true;
    mpi_coll_fail(c, mpi_hall_differs(&(struct mpu_said){c->kind, c->bytes, 0}, told));
    if (told->number != c->visit.number)
        mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
    return false;
}

/* The result; NULL if there is none. */
static const void *result(struct mpi_coll *c)
{
    return mpi_hall_heed(c) ? mpu_hall_result(hall(c), &c->visit) : NULL;
}

/* After the part of who closes it: releases, and all take the result. */
static bool end(struct mpi_coll *c, bool closes, void (*take)(struct mpi_coll *c))
{
    if (c->visit.left)
        return false;
    c->holds = closes;
    if (closes && goes_on(c) && !c->broken)
        return true;
    if (closes)
        mpi_hall_release(c);
    take(c);
    return false;
}

static void take_nothing(struct mpi_coll *c)
{
    mpi_hall_heed(c);
}

static bool barrier_meet(struct mpi_coll *c)
{
    return mpi_hall_join(c) && end(c, mpi_hall_meet(c, true), take_nothing);
}

static int barrier(struct mpi_coll *c, int k)
{
    int rc = mpi_coll_disseminate(c, &c->leaders, k);
    if (rc == MPI_COLL_DONE) {
        mpi_hall_release(c);
        take_nothing(c);
    }
    return rc;
}

const struct mpi_coll_algorithm mpi_coll_barrier_hall = {.name = "barrier-hall",
                                                         .counter = "coll.barrier-hall",
                                                         .applies = mpi_coll_in_halls,
                                                         .meet = barrier_meet,
                                                         .round = barrier};

static void take_packed(struct mpi_coll *c)
{
    const void *bytes = result(c);
    if (!bytes || c->role == MPI_ROLE_ROOT)
        return;
    mpi_coll_unpack(bytes, mpi_coll_whole(&c->recv));
    mpi_coll_compare(c, mpu_hall_mark(hall(c), &c->visit), c->recv.type);
}

static void put(const struct mpi_coll *c)
{
    struct mpu_hall_result *to = mpu_hall_next(hall(c));
    to->mark = c->bytes ? c->element : 0;
    mpi_coll_pack(mpi_coll_whole(&c->recv), to->bytes);
}

/* The root writes the result before it arrives: who might still read was released before. */
static bool bcast_meet(struct mpi_coll *c)
{
    if (!mpi_hall_join(c))
        return false;
    if (c->role == MPI_ROLE_ROOT)
        put(c);
    return end(c, mpi_hall_meet(c, true), take_packed);
}

static int bcast(struct mpi_coll *c, int k)
{
    struct mpu_hall *h = hall(c);
    if (k == 0)
        c->acc = mpu_hall_next_result(h);
    if (k == 0 && h->leads[c->root] != h->cluster)
        mpu_hall_next(h)->mark = c->bytes ? c->element : 0;
    int rc =
        mpi_coll_tree_down(c, &c->leaders, h->leads[c->root], k, mpi_coll_bytes(c->acc, c->bytes));
    if (rc == MPI_COLL_DONE) {
        mpi_hall_release(c);
        take_packed(c);
    }
    return rc;
}

const struct mpi_coll_algorithm mpi_coll_bcast_hall = {.name = "bcast-hall",
                                                       .counter = "coll.bcast-hall",
                                                       .applies = mpi_coll_in_halls,
                                                       .meet = bcast_meet,
                                                       .round = bcast};

/* One vector of all operands is halved until one is left: element i with the one half as many ranks
 * further. The order depends on nothing but the number of ranks. */
static void halve(const struct mpi_reduced *v, uint8_t *all, int n)
{
    while (n > 1) {
        int half = n / 2;
        mpi_op_apply(v->op, v->type, all + (uint64_t)(n - half) * v->bytes, all, half * v->count);
        n -= half;
    }
}

void mpi_hall_combine(struct mpu_hall *h, const struct mpi_reduced *v)
{
    uint8_t *sum = mpu_hall_next_result(h);
    if (v->bytes <= MPU_HALL_OPERAND) {
        uint8_t *all = mpu_hall_operands(h, v->bytes);
        halve(v, all, h->members);
        memcpy(sum, all, v->bytes);
        return;
    }
    memcpy(sum, mpu_hall_shown(h, h->members - 1), v->bytes);
    for (int i = h->members - 2; i >= 0; i--)
        mpi_op_apply(v->op, v->type, mpu_hall_shown(h, i), sum, v->count);
}

static const void *contribution(const struct mpi_coll *c)
{
    return c->send.type ? c->send.buf : c->recv.buf;
}

static struct mpi_reduced reduced(const struct mpi_coll *c)
{
    const struct mpi_side *s = c->recv.type ? &c->recv : &c->send;
    return (struct mpi_reduced){c->op, s->type, s->count, c->bytes};
}

/* After an error what is the leader's must do. */
static void combine(struct mpi_coll *c)
{
    struct mpi_reduced v = reduced(c);
    if (!c->error)
        mpi_hall_combine(hall(c), &v);
    else if (c->bytes)
        memcpy(mpu_hall_next_result(hall(c)), contribution(c), c->bytes);
}

static void give(struct mpi_coll *c)
{
    struct mpu_hall *h = hall(c);
    if (c->bytes > MPU_HALL_OPERAND)
        mpu_hall_show(h, c->p->rank, contribution(c));
    else if (c->bytes)
        memcpy(mpu_hall_operand(h, c->p->rank, c->bytes), contribution(c), c->bytes);
}

static void take(struct mpi_coll *c)
{
    const void *bytes = result(c);
    if (bytes && c->bytes)
        memcpy(c->recv.buf, bytes, c->bytes);
}

static void take_root(struct mpi_coll *c)
{
    if (c->role == MPI_ROLE_ROOT)
        take(c);
    else
        take_nothing(c);
}

/* Everyone stays until the release, as its contribution must. */
static bool reduce_meet(struct mpi_coll *c)
{
    if (!mpi_hall_join(c))
        return false;
    give(c);
    bool closes = mpi_hall_meet(c, true);
    if (closes)
        combine(c);
    return end(c, closes, c->kind == &mpi_coll_reduce ? take_root : take);
}

/* The leaders: from what their clusters gave. */
static int reduce_up(struct mpi_coll *c, int root, int k)
{
    struct mpi_reduced v = reduced(c);
    uint8_t *sum = mpu_hall_next_result(hall(c));
    int rc = k ? 0 : mpi_coll_vectors(c, v.type, v.count, sum, sum);
    if (!rc)
        rc = mpi_coll_reduce_tree(c, &c->leaders, root, k);
    if (rc == MPI_COLL_DONE)
        mpi_coll_home(c);
    return rc;
}

static int reduce(struct mpi_coll *c, int k)
{
    int rc = reduce_up(c, hall(c)->leads[c->root], k);
    if (rc == MPI_COLL_DONE) {
        mpi_hall_release(c);
        take_root(c);
    }
    return rc;
}

const struct mpi_coll_algorithm mpi_coll_reduce_hall = {.name = "reduce-hall",
                                                        .counter = "coll.reduce-hall",
                                                        .applies = reduces,
                                                        .meet = reduce_meet,
                                                        .round = reduce};

static int allreduce(struct mpi_coll *c, int k)
{
    if (c->phase == 0) {
        int rc = reduce_up(c, 0, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    int rc = mpi_coll_tree_down(c, &c->leaders, 0, k, mpi_coll_bytes(c->home, c->bytes));
    if (rc == MPI_COLL_DONE) {
        mpi_hall_release(c);
        take(c);
    }
    return rc;
}

const struct mpi_coll_algorithm mpi_coll_allreduce_hall = {.name = "allreduce-hall",
                                                           .counter = "coll.allreduce-hall",
                                                           .applies = reduces,
                                                           .meet = reduce_meet,
                                                           .round = allreduce};

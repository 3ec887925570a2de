/* SPDX-License-Identifier: MIT */
/* Allreduce. */
#include <base/error.h>

#include "coll/forms.h"
#include "coll/channel.h"
#include "coll/round.h"
#include "coll/vectors.h"

/* Ranks beyond the largest power of two, `extra` of them, fold into a neighbour first and get the
 * result from it at the end, so that all steps join neighbouring parts of the rank order. */
struct place {
    int extra, power, number; /* number among the power of two that go on; -1: waits */
};

static struct place place(const struct mpi_coll *c)
{
    struct place p = {.power = 1};
    while (2 * p.power <= c->size)
        p.power *= 2;
    p.extra = c->size - p.power;
    if (c->rank >= 2 * p.extra)
        p.number = c->rank - p.extra;
    else
        p.number = c->rank % 2 ? -1 : c->rank / 2;
    return p;
}

static int rank_of(const struct place *p, int number)
{
    return number < p->extra ? 2 * number : number + p->extra;
}

/* Before and after the steps: of two extra ranks the odd one gives all that it has to the one
 * before it, and gets the result from there. */
static int extra(struct mpi_coll *c, const struct place *p, bool before)
{
    const struct mpu_comm *on = &c->comm->coll;
    if (c->rank >= 2 * p->extra)
        return MPI_COLL_MORE;
    int other = p->number < 0 ? c->rank - 1 : c->rank + 1;
    if ((p->number < 0) == before)
        return mpi_coll_more(mpi_coll_send_acc(c, on, other));
    if (before)
        return mpi_coll_more(mpi_coll_recv_in(c, on, other, MPI_FOLD_AFTER));
    c->vector.acc = c->vector.home;
    return mpi_coll_more(mpi_coll_recv(c, on, other, 0, mpi_coll_shape(c, c->vector.acc)));
}

static int unite(struct mpi_coll *c, const struct place *p, int bit)
{
    const struct mpu_comm *on = &c->comm->coll;
    int other = rank_of(p, p->number ^ bit);
    int rc = mpi_coll_send_acc(c, on, other);
    if (!rc)
        rc = mpi_coll_recv_in(c, on, other, other < c->rank ? MPI_FOLD_BEFORE : MPI_FOLD_AFTER);
    return mpi_coll_more(rc);
}

/* Round 0: the extra ranks; round k: with the one whose number differs in bit k - 1; last: back. */
static int doubling(struct mpi_coll *c, int k)
{
    struct place p = place(c);
    if (k == 0) {
        mpi_coll_begin_vectors(c);
        return extra(c, &p, true);
    }
    int rc = mpi_coll_fold(c);
    if (rc)
        return rc;
    int bit = 1 << (k - 1);
    if (bit < p.power)
        return p.number < 0 ? MPI_COLL_MORE : unite(c, &p, bit);
    if (bit == p.power && c->rank < 2 * p.extra)
        return extra(c, &p, false);
    mpi_coll_home(c);
    return MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm recursive = {MPI_COLL_NAMED("allreduce-doubling"),
                                                    .round = doubling, .length = mpi_coll_count};

static bool large(const struct mpi_coll *c)
{
    return c->bytes >= mpi_coll_limit(c, MPU_TUNE_ALLREDUCE_PARTS) && c->op->commutative &&
           c->size > 1;
}

/* A run of the vector's elements. */
struct range {
    MPI_Count from, to;
};

/* What is a number's own after so many steps of halving: each step takes the half that the next
 * bit of the number names, beginning with the highest. */
static struct range after(const struct mpi_coll *c, const struct place *p, int number, int steps)
{
    struct range r = {0, c->vector.count};
    for (int bit = p->power / 2; steps > 0; steps--, bit /= 2) {
        MPI_Count middle = r.from + (r.to - r.from) / 2;
        r = number & bit ? (struct range){middle, r.to} : (struct range){r.from, middle};
    }
    return r;
}

static struct mpi_elements part(const struct mpi_coll *c, uint8_t *vector, struct range r)
{
    return (struct mpi_elements){vector + r.from * mpi_type_bounds(c->vector.type).extent,
                                 r.to - r.from, c->vector.type};
}

/* What came in the round before, for step `step` of halving, is reduced with the same part of acc;
 * step 0: from the extra rank, all of it. The first time acc is what the program gave, and the
 * result goes to where the other operand is, at home. */
static void reduce_part(struct mpi_coll *c, const struct place *p, int step)
{
    struct range r = after(c, p, p->number, step);
    uint8_t *acc = part(c, c->vector.acc, r).buf, *in = part(c, c->vector.in, r).buf;
    if (r.to > r.from)
        mpi_op_apply(c->op, c->vector.type, c->vector.mine ? in : acc, c->vector.mine ? acc : in,
                     r.to - r.from);
    if (c->vector.mine)
        return;
    c->vector.acc = c->vector.home;
    c->vector.mine = true;
    c->vector.in = NULL;
}

/* A part of the vector comes, to be reduced; those that follow are parts of this one. */
static int receive_part(struct mpi_coll *c, int other, struct range r)
{
    if (!c->vector.in) {
        uint8_t *memory = mpi_coll_vector(c, r.to - r.from);
        if (!memory)
            return -B_ENOMEM;
        MPI_Aint before = r.from * mpi_type_bounds(c->vector.type).extent;
        c->vector.in = (uint8_t *)((uintptr_t)memory - (uintptr_t)before);
    }
    return mpi_coll_recv(c, &c->comm->coll, other, 0, part(c, c->vector.in, r));
}

/* Of two partners each gives the half that is the other's, to be reduced there; on the way back,
 * what it has by now. */
static int trade(struct mpi_coll *c, const struct place *p, int step, bool back)
{
    int number = p->number ^ (p->power >> (step + 1)), other = rank_of(p, number);
    struct range mine = after(c, p, p->number, step + 1), theirs = after(c, p, number, step + 1);
    int rc = back ? mpi_coll_recv(c, &c->comm->coll, other, 1, part(c, c->vector.home, theirs))
                  : receive_part(c, other, mine);
    if (!rc)
        rc = mpi_coll_send(c, &c->comm->coll, other, back,
                           part(c, c->vector.acc, back ? mine : theirs));
    return mpi_coll_more(rc);
}

/* Round 0: the extra ranks; then as many steps of halving as the power of two has bits, as many
 * back, and the extra ranks again (Rabenseifner, 2004). All in all each rank sends two vectors, in
 * few messages. */
static int halving(struct mpi_coll *c, int k)
{
    struct place p = place(c);
    int steps = __builtin_ctz((unsigned int)p.power);
    if (k == 0) {
        mpi_coll_begin_vectors(c);
        return extra(c, &p, true);
    }
    bool came = k > 1 || c->rank < 2 * p.extra;
    if (p.number >= 0 && came && k <= steps + 1)
        reduce_part(c, &p, k - 1);
    if (k <= 2 * steps && p.number < 0)
        return MPI_COLL_MORE;
    if (k <= steps)
        return trade(c, &p, k - 1, false);
    if (k <= 2 * steps)
        return trade(c, &p, 2 * steps - k, true);
    return k == 2 * steps + 1 ? extra(c, &p, false) : MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm by_halves = {MPI_COLL_NAMED("allreduce-halving"),
                                                    .applies = large, .round = halving,
                                                    .length = mpi_coll_count};

/* Each group reduces to its first member; these exchange, and tell their groups. */
static int leaders(struct mpi_coll *c, int k)
{
    if (k == 0 && c->step.phase == 0)
        mpi_coll_begin_vectors(c);
    if (c->step.phase < 2)
        return mpi_coll_reduce_groups(c, k);
    if (k == 0 && c->rank == 0)
        mpi_coll_home(c);
    const struct mpi_elements home = mpi_coll_shape(c, c->vector.home);
    return mpi_coll_tree_down(c, &c->comm->local, 0, k, &home);
}

static const struct mpi_coll_algorithm inter = {MPI_COLL_NAMED("allreduce-leaders"),
                                                .round = leaders, .length = mpi_coll_count};

const struct mpi_coll_kind mpi_coll_allreduce = {
    .id = MPI_COLL_ALLREDUCE,
    .send = MPI_COLL_WHOLE,
    .recv = MPI_COLL_WHOLE,
    .check_op = mpi_coll_check_op,
    .intra = MPI_COLL_TABLE(&mpi_coll_allreduce_segment, &mpi_coll_allreduce_long,
                            &mpi_coll_allreduce_peer, &mpi_coll_allreduce_channel,
                            &mpi_coll_allreduce_clusters, &by_halves, &recursive),
    .inter = MPI_COLL_TABLE(&inter)};

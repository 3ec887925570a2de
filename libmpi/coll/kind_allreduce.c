/* SPDX-License-Identifier: MIT */
/* Allreduce. */
#include <base/error.h>

#include "coll/forms.h"
#include "coll/segment.h"
#include "coll/peer.h"
#include "coll/round.h"
#include "coll/vectors.h"

static const uint8_t *contribution(const struct mpi_coll *c)
{
    return c->in_place ? c->recv.buf : c->send.buf;
}

static int begin(struct mpi_coll *c)
{
    return mpi_coll_vectors(c, c->recv.type, c->recv.count, contribution(c), c->recv.buf);
}

static MPI_Count length(const struct mpi_coll *c)
{
    return c->recv.count;
}

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
    const struct mpu_comm *on = &c->comm->coll;
    struct place p = place(c);
    int rc = k ? mpi_coll_fold(c) : begin(c);
    if (rc)
        return rc;
    if (k == 0 && p.number < 0)
        return mpi_coll_more(mpi_coll_send_acc(c, on, c->rank - 1));
    if (k == 0 && c->rank < 2 * p.extra)
        return mpi_coll_more(mpi_coll_recv_in(c, on, c->rank + 1, MPI_FOLD_AFTER));
    if (k == 0)
        return MPI_COLL_MORE;
    int bit = 1 << (k - 1);
    if (bit < p.power)
        return p.number < 0 ? MPI_COLL_MORE : unite(c, &p, bit);
    if (bit == p.power && c->rank < 2 * p.extra)
        return mpi_coll_more(p.number < 0 ? mpi_coll_recv_in(c, on, c->rank - 1, MPI_FOLD_REPLACE)
                                          : mpi_coll_send_acc(c, on, c->rank + 1));
    mpi_coll_home(c);
    return MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm recursive = {.name = "allreduce-doubling",
                                                    .counter = "coll.allreduce-doubling",
                                                    .round = doubling,
                                                    .length = length};

static bool large(const struct mpi_coll *c)
{
    return c->bytes >= mpi_coll_limit(c, MPU_TUNE_ALLREDUCE_PARTS) && c->op->commutative &&
           c->size > 2;
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

static int steps_of(const struct place *p)
{
    return __builtin_ctz((unsigned int)p->power);
}

/* What came in the round before, for step `step` of halving, is reduced with the same part of home;
 * step 0: from the extra rank, all of it. */
static void reduce_part(struct mpi_coll *c, const struct place *p, int step)
{
    struct range r = after(c, p, p->number, step);
    if (r.to > r.from)
        mpi_op_apply(c->op, c->vector.type, part(c, c->vector.in, r).buf,
                     part(c, c->vector.home, r).buf, r.to - r.from);
}

/* home is to hold the own contribution, `in` is for what comes. */
static int halving_begin(struct mpi_coll *c)
{
    int rc = begin(c);
    if (rc)
        return rc;
    c->vector.in = mpi_coll_vector(c);
    if (!c->vector.in)
        return -B_ENOMEM;
    if (c->vector.acc != c->vector.home)
        mpi_coll_copy(c, mpi_coll_shape(c, c->vector.acc), mpi_coll_shape(c, c->vector.home));
    return 0;
}

/* Before and after the steps: an odd extra rank gives all that it has to the one before it, and
 * gets the result from there. */
static int extra(struct mpi_coll *c, const struct place *p, bool before)
{
    const struct mpu_comm *on = &c->comm->coll;
    if (c->rank >= 2 * p->extra)
        return MPI_COLL_MORE;
    bool gives = (p->number < 0) == before;
    int other = p->number < 0 ? c->rank - 1 : c->rank + 1;
    return mpi_coll_more(
        gives ? mpi_coll_send(c, on, other, 0, mpi_coll_shape(c, c->vector.home))
              : mpi_coll_recv(c, on, other, 0,
                              mpi_coll_shape(c, before ? c->vector.in : c->vector.home)));
}

/* Of two partners each gives the half that is the other's, and reduces its own. */
static int halve(struct mpi_coll *c, const struct place *p, int step)
{
    const struct mpu_comm *on = &c->comm->coll;
    int number = p->number ^ (p->power >> (step + 1)), other = rank_of(p, number);
    int rc =
        mpi_coll_recv(c, on, other, 0, part(c, c->vector.in, after(c, p, p->number, step + 1)));
    if (!rc)
        rc = mpi_coll_send(c, on, other, 0, part(c, c->vector.home, after(c, p, number, step + 1)));
    return mpi_coll_more(rc);
}

/* The same back: each gets what the other has by now. */
static int unite_halves(struct mpi_coll *c, const struct place *p, int step)
{
    const struct mpu_comm *on = &c->comm->coll;
    int number = p->number ^ (p->power >> (step + 1)), other = rank_of(p, number);
    int rc = mpi_coll_recv(c, on, other, 1, part(c, c->vector.home, after(c, p, number, step + 1)));
    if (!rc)
        rc = mpi_coll_send(c, on, other, 1,
                           part(c, c->vector.home, after(c, p, p->number, step + 1)));
    return mpi_coll_more(rc);
}

/* Round 0: the extra ranks; then as many steps of halving as the power of two has bits, as many
 * back, and the extra ranks again (Rabenseifner, 2004). All in all each rank sends two vectors, in
 * few messages. */
static int halving(struct mpi_coll *c, int k)
{
    struct place p = place(c);
    int steps = steps_of(&p), rc = k ? 0 : halving_begin(c);
    if (rc)
        return rc;
    if (k == 0)
        return extra(c, &p, true);
    bool came = k > 1 || c->rank < 2 * p.extra;
    if (p.number >= 0 && came && k <= steps + 1)
        reduce_part(c, &p, k - 1);
    if (k <= 2 * steps && p.number < 0)
        return MPI_COLL_MORE;
    if (k <= steps)
        return halve(c, &p, k - 1);
    if (k <= 2 * steps)
        return unite_halves(c, &p, 2 * steps - k);
    return k == 2 * steps + 1 ? extra(c, &p, false) : MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm by_halves = {.name = "allreduce-halving",
                                                    .counter = "coll.allreduce-halving",
                                                    .applies = large,
                                                    .round = halving,
                                                    .length = length};

/* Each group reduces to its first member; these exchange, and tell their groups. */
static int leaders(struct mpi_coll *c, int k)
{
    int rc = k || c->step.phase ? 0 : begin(c);
    if (rc)
        return rc;
    const struct mpi_elements home = mpi_coll_shape(c, c->vector.home);
    if (c->step.phase == 0)
        rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
    else if (c->step.phase == 1)
        rc = mpi_coll_leaders_swap(c, k);
    else
        return mpi_coll_tree_down(c, &c->comm->local, 0, k, &home);
    if (rc != MPI_COLL_DONE)
        return rc;
    if (c->step.phase == 1 && c->rank == 0)
        mpi_coll_home(c);
    return mpi_coll_phase(c);
}

static const struct mpi_coll_algorithm inter = {.name = "allreduce-leaders",
                                                .counter = "coll.allreduce-leaders",
                                                .round = leaders,
                                                .length = length};

const struct mpi_coll_kind mpi_coll_allreduce = {
    .id = MPI_COLL_ALLREDUCE,
    .alike = true,
    .choice = MPI_CHOICE_ALLREDUCE,
    .check = mpi_coll_check_vectors,
    .intra =
        (const struct mpi_coll_algorithm *const[]){
            &mpi_coll_allreduce_segment,
            MPI_COLL_NOT_STATIC(mpi_coll_allreduce_long, mpi_coll_allreduce_peer),
            &mpi_coll_allreduce_peer, &by_halves, &recursive, NULL},
    .inter = (const struct mpi_coll_algorithm *const[]){&inter, NULL}};

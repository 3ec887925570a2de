/* SPDX-License-Identifier: MIT */
/* Barrier. */
#include <mpiutil/machine.h>

#include "coll/coll.h"

static int check(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    (void)c;
    (void)a;
    return MPI_SUCCESS;
}

/* In round k a rank tells the one 2^k ahead and hears from the one 2^k behind: after the last round
 * each has heard, through others, from all. */
int mpi_coll_disseminate(struct mpi_coll *c, const struct mpu_comm *on, int k)
{
    int step = 1 << k, n = on->size, me = on->rank;
    if (step >= n)
        return MPI_COLL_DONE;
    int rc = mpi_coll_recv(c, on, (me + n - step) % n, 0, mpi_coll_nothing());
    return rc ? rc : mpi_coll_more(mpi_coll_send(c, on, (me + step) % n, 0, mpi_coll_nothing()));
}

static int dissemination(struct mpi_coll *c, int k)
{
    return mpi_coll_disseminate(c, &c->comm->coll, k);
}

static const struct mpi_coll_algorithm flat = {.name = "barrier-dissemination",
                                               .counter = "coll.barrier-dissemination",
                                               .round = dissemination};

/* Up the binomial tree and down again: twice as many steps one after the other, but with n ranks
 * 2 n messages instead of n log n, each of which wakes a process that another one must give way to
 * where processors are few. */
static int tree(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int n = on->size, me = on->rank, bit = 1, rc = 0;
    if (c->phase == 1)
        return mpi_coll_tree_down(c, on, 0, k, mpi_coll_nothing());
    while (bit < n && !(me & bit))
        bit *= 2;
    if (k == 1) {
        mpi_coll_phase(c);
        return me ? mpi_coll_more(mpi_coll_send(c, on, me - bit, 0, mpi_coll_nothing()))
                  : MPI_COLL_MORE;
    }
    int children = 0;
    for (int b = bit / 2; b; b /= 2)
        children += me + b < n;
    rc = mpi_coll_reserve(c, children);
    for (int b = bit / 2; b && !rc; b /= 2)
        if (me + b < n)
            rc = mpi_coll_recv(c, on, me + b, 0, mpi_coll_nothing());
    return mpi_coll_more(rc);
}

static bool crowded(const struct mpi_coll *c)
{
    (void)c;
    return mpu_crowded();
}

static const struct mpi_coll_algorithm few = {
    .name = "barrier-tree", .counter = "coll.barrier-tree", .applies = crowded, .round = tree};

/* The local group meets; the first members of both groups tell each other; the group hears. */
static int leaders(struct mpi_coll *c, int k)
{
    struct mpu_comm *local = &c->comm->local, *remote = &c->comm->coll;
    int rc;
    if (c->phase == 0) {
        rc = mpi_coll_disseminate(c, local, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    if (c->phase == 1) {
        mpi_coll_phase(c);
        if (c->rank)
            return MPI_COLL_MORE;
        rc = mpi_coll_recv(c, remote, 0, 0, mpi_coll_nothing());
        return rc ? rc : mpi_coll_more(mpi_coll_send(c, remote, 0, 0, mpi_coll_nothing()));
    }
    return mpi_coll_tree_down(c, local, 0, k, mpi_coll_nothing());
}

static const struct mpi_coll_algorithm inter = {
    .name = "barrier-leaders", .counter = "coll.barrier-leaders", .round = leaders};

const struct mpi_coll_kind mpi_coll_barrier = {
    .choice = MPI_CHOICE_BARRIER,
    .check = check,
    .intra = (const struct mpi_coll_algorithm *const[]){&mpi_coll_barrier_hall,
                                                        &mpi_coll_barrier_forum, &few, &flat, NULL},
    .inter = (const struct mpi_coll_algorithm *const[]){&inter, NULL}};

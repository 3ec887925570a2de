/* SPDX-License-Identifier: MIT */
/* Linear and pairwise algorithms: a window of messages at a time. */
#include <base/error.h>

#include "coll/round.h"
#include "coll/segment.h"

/* Steps of a round, where memory is scarce, and at most. */
#define NARROWEST 8
#define WIDEST    128

/* A window ends early where its messages hold so much that others of the cluster would lack it. */
static bool full(const struct mpi_coll *c)
{
    return c->messages.memory && c->messages.memory >= 2 * mpi_coll_share();
}

/* Steps of a round: as many as a quarter of a share holds the messages of, where that is more than
 * the least. What is under way at once need not be waited for in turn, and each wait of a process
 * that shares its processor costs the time slices of all others. */
static int width(int messages)
{
    uint64_t n = mpi_coll_share() / 4 / ((uint64_t)messages * sizeof(struct mpi_coll_slot));
    return n < NARROWEST ? NARROWEST : n > WIDEST ? WIDEST : (int)n;
}

int mpi_coll_window(struct mpi_coll *c, int k, int steps, int messages,
                    int (*step)(struct mpi_coll *c, int i))
{
    int i = k ? c->step.next : 0, most = steps <= NARROWEST ? steps : width(messages);
    int end = i + most < steps ? i + most : steps, rc = mpi_coll_reserve(c, messages * (end - i));
    mpu_send_together(c->p->rank, end - i);
    for (; i < end && !rc && !full(c); i += !rc)
        rc = step(c, i);
    mpu_send_together(c->p->rank, 0);
    c->step.next = i;
    if (rc && !(rc == -B_ENOMEM && c->messages.n))
        return rc;
    return rc || i < steps ? MPI_COLL_MORE : MPI_COLL_DONE;
}

/* As many as the larger group has ranks. */
static int pairings(const struct mpi_coll *c)
{
    return c->size > c->remote ? c->size : c->remote;
}

/* In step s the ranks whose sum is s (modulo the number of steps) exchange, so each has one
 * partner, in groups of one size or two; one beyond the other group is nobody. */
static int exchange(struct mpi_coll *c, int step)
{
    int steps = pairings(c), other = (step + steps - c->rank) % steps;
    if (other >= c->remote)
        return 0;
    bool alike = c->kind->send == MPI_COLL_WHOLE; /* all get the same of this rank */
    struct mpi_elements out = alike ? mpi_coll_gather_own(c) : mpi_coll_alltoall_out(c, other);
    struct mpi_elements in = mpi_coll_block(&c->recv, other);
    if (c->comm->inter || other != c->rank)
        return mpi_coll_swap(c, other, out, in);
    if (!c->in_place)
        mpi_coll_copy(c, &out, &in);
    return 0;
}

/* A window of steps is under way at a time; as all begin with the first step that they have not
 * done, windows of different lengths do not wait for each other: both partners of the first step of
 * all that is not done are at it. */
int mpi_coll_pairwise(struct mpi_coll *c, int k)
{
    return mpi_coll_window(c, k, pairings(c), 2, exchange);
}

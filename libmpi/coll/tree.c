/* SPDX-License-Identifier: MIT */
/* The binomial tree downwards. */
#include "coll/round.h"

/* Rank i of `size`, counted round from one end to the other; i is less than `size` beyond. */
static int around(int i, int size)
{
    return i < 0 ? i + size : i >= size ? i - size : i;
}

/* Who noticed an error passes on nothing, which is an error of those behind it.
 *
 * Distances from the root: who is at d hears from d without its lowest bit, in round 0, and then
 * tells those who add a lower bit, the farthest first. Those who have nobody to tell are through
 * with what they hear. */
int mpi_coll_tree_down(struct mpi_coll *c, const struct mpu_comm *on, int root, int k,
                       const struct mpi_elements *data)
{
    static const struct mpi_elements nothing;
    int size = on->size, d = around(on->rank - root, size), bit = 1, children = 0;
    while (bit < size && !(d & bit))
        bit *= 2;
    for (int b = bit / 2; b; b /= 2)
        children += d + b < size;
    if (k == 0 && d) {
        int rc = mpi_coll_recv(c, on, around(d - bit + root, size), 0, *data);
        return rc || !children ? rc : MPI_COLL_MORE;
    }
    if (k > (d != 0))
        return MPI_COLL_DONE;
    int rc = mpi_coll_reserve(c, children);
    for (bit /= 2; bit && !rc; bit /= 2)
        if (d + bit < size)
            rc = mpi_coll_send(c, on, around(d + bit + root, size), 0, c->error ? nothing : *data);
    return rc;
}

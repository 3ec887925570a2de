/* SPDX-License-Identifier: MIT */
/* The binomial tree downwards. */
#include "coll/round.h"

/* Who noticed an error passes on nothing, which is an error of those behind it.
 *
 * Distances from the root: who is at d hears from d without its lowest bit, in round 0, and then
 * tells those who add a lower bit, the farthest first. */
int mpi_coll_tree_down(struct mpi_coll *c, const struct mpu_comm *on, int root, int k,
                       struct mpi_elements data)
{
    int size = on->size, d = (on->rank + size - root) % size, bit = 1;
    while (bit < size && !(d & bit))
        bit *= 2;
    if (k == 0 && d)
        return mpi_coll_more(mpi_coll_recv(c, on, (d - bit + root) % size, 0, data));
    if (k > 1 || (k == 1 && !d))
        return MPI_COLL_DONE;
    int children = 0;
    for (int b = bit / 2; b; b /= 2)
        children += d + b < size;
    int rc = mpi_coll_reserve(c, children);
    if (c->error)
        data = mpi_coll_nothing();
    for (bit /= 2; bit && !rc; bit /= 2)
        if (d + bit < size)
            rc = mpi_coll_send(c, on, (d + bit + root) % size, 0, data);
    return mpi_coll_more(rc);
}

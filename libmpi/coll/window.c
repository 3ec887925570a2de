/* SPDX-License-Identifier: MIT */
/* Linear algorithms: a window of messages at a time. */
#include <base/error.h>

#include "coll/round.h"

/* A window ends early where its messages hold so much that others of the cluster would lack it. */
static bool full(const struct mpi_coll *c)
{
    return c->n && c->held >= 2 * mpi_coll_share();
}

int mpi_coll_window(struct mpi_coll *c, int k, int steps, int messages,
                    int (*step)(struct mpi_coll *c, int i))
{
    int rc = mpi_coll_reserve(c, messages * MPI_COLL_WINDOW), i = k ? c->next : 0;
    if (i >= steps)
        return MPI_COLL_DONE;
    int end = i + MPI_COLL_WINDOW < steps ? i + MPI_COLL_WINDOW : steps;
    for (; i < end && !rc && !full(c); i += !rc)
        rc = step(c, i);
    c->next = i;
    return rc && !(rc == -B_ENOMEM && c->n) ? rc : MPI_COLL_MORE;
}

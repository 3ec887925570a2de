/* SPDX-License-Identifier: MIT */
/* Broadcast. */

#include "coll/forms.h"
#include "coll/segment.h"
#include "coll/round.h"

static int binomial(struct mpi_coll *c, int k)
{
    const struct mpi_elements all = mpi_coll_whole(&c->recv);
    return mpi_coll_tree_down(c, &c->comm->coll, c->root, k, &all);
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("bcast-binomial"), .round = binomial};

/* The root tells the first member of the remote group, who tells its group. */
static int by_leader(struct mpi_coll *c, int k)
{
    const struct mpu_comm *remote = &c->comm->coll;
    if (c->role == MPI_ROLE_IDLE || (c->role == MPI_ROLE_ROOT && k))
        return MPI_COLL_DONE;
    if (c->role == MPI_ROLE_ROOT)
        return mpi_coll_more(mpi_coll_send(c, remote, 0, 0, mpi_coll_whole(&c->recv)));
    const struct mpi_elements all = mpi_coll_whole(&c->recv);
    if (c->step.phase)
        return mpi_coll_tree_down(c, &c->comm->local, 0, k, &all);
    mpi_coll_phase(c);
    return mpi_coll_more(c->rank ? 0 : mpi_coll_recv(c, remote, c->root, 0, all));
}

static const struct mpi_coll_algorithm inter = {MPI_COLL_NAMED("bcast-leader"), .round = by_leader};

const struct mpi_coll_kind mpi_coll_bcast = {.id = MPI_COLL_BCAST,
                                             .rooted = MPI_COLL_BY_ROOT,
                                             .recv = MPI_COLL_WHOLE,
                                             .intra = MPI_COLL_TABLE(&mpi_coll_bcast_multicast,
                                                                     &mpi_coll_bcast_segment,
                                                                     &mpi_coll_bcast_ring, &tree),
                                             .inter = MPI_COLL_TABLE(&inter)};

/* SPDX-License-Identifier: MIT */
/* Barrier. */
#include "coll/forms.h"
#include "coll/channel.h"
#include "coll/round.h"

/* In round k a rank tells the one 2^k ahead and hears from the one 2^k behind: after the last round
 * each has heard, through others, from all. */
int mpi_coll_disseminate(struct mpi_coll *c, const struct mpu_comm *on, int k)
{
    int step = 1 << k, n = on->size, me = on->rank;
    if (step >= n)
        return MPI_COLL_DONE;
    int rc = mpi_coll_send(c, on, (me + step) % n, 0, mpi_coll_nothing());
    return rc ? rc
              : mpi_coll_more(mpi_coll_recv(c, on, (me + n - step) % n, 0, mpi_coll_nothing()));
}

static int dissemination(struct mpi_coll *c, int k)
{
    return mpi_coll_disseminate(c, &c->comm->coll, k);
}

static const struct mpi_coll_algorithm flat = {MPI_COLL_NAMED("barrier-dissemination"),
                                               .round = dissemination};

/* The local group meets; the first members of both groups tell each other; the group hears. */
static int leaders(struct mpi_coll *c, int k)
{
    const struct mpu_comm *local = &c->comm->local;
    const struct mpi_elements none = mpi_coll_nothing();
    if (c->step.phase == 0) {
        int rc = mpi_coll_disseminate(c, local, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    if (c->step.phase == 1) {
        mpi_coll_phase(c);
        return mpi_coll_more(c->rank ? 0 : mpi_coll_swap(c, 0, none, none));
    }
    return mpi_coll_tree_down(c, local, 0, k, &none);
}

static const struct mpi_coll_algorithm inter = {MPI_COLL_NAMED("barrier-leaders"),
                                                .round = leaders};

const struct mpi_coll_kind mpi_coll_barrier = {
    .id = MPI_COLL_BARRIER,
    .intra = MPI_COLL_TABLE(&mpi_coll_barrier_segment, &mpi_coll_barrier_channel, &flat),
    .inter = MPI_COLL_TABLE(&inter)};

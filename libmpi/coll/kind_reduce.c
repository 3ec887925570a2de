/* SPDX-License-Identifier: MIT */
/* Reduce. */
#include "coll/forms.h"
#include "coll/segment.h"
#include "coll/round.h"
#include "coll/vectors.h"

static int binomial(struct mpi_coll *c, int k)
{
    if (k == 0)
        mpi_coll_begin_vectors(c);
    int rc = mpi_coll_reduce_tree(c, &c->comm->coll, c->root, k);
    if (rc == MPI_COLL_DONE && c->role == MPI_ROLE_ROOT)
        mpi_coll_home(c);
    return rc;
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("reduce-binomial"), .round = binomial,
                                               .length = mpi_coll_count};

/* The remote group reduces to its first member, who sends the result to the root. */
static int by_leader(struct mpi_coll *c, int k)
{
    struct mpi_elements result = mpi_coll_whole(&c->recv);
    if (c->role == MPI_ROLE_IDLE || (c->role == MPI_ROLE_ROOT && k))
        return MPI_COLL_DONE;
    if (c->role == MPI_ROLE_ROOT)
        return mpi_coll_more(mpi_coll_recv(c, &c->comm->coll, 0, 0, mpi_coll_chunk(c, result)));
    if (c->step.phase == 0) {
        if (k == 0)
            mpi_coll_begin_vectors(c);
        int rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    if (k || c->rank)
        return MPI_COLL_DONE;
    return mpi_coll_more(mpi_coll_send_acc(c, &c->comm->coll, c->root));
}

static const struct mpi_coll_algorithm inter = {MPI_COLL_NAMED("reduce-leader"), .round = by_leader,
                                                .length = mpi_coll_count};

const struct mpi_coll_kind mpi_coll_reduce = {.id = MPI_COLL_REDUCE,
                                              .rooted = MPI_COLL_TO_ROOT,
                                              .send = MPI_COLL_WHOLE,
                                              .recv = MPI_COLL_WHOLE,
                                              .check_op = mpi_coll_check_op,
                                              .intra = MPI_COLL_TABLE(&mpi_coll_reduce_linear,
                                                                      &mpi_coll_reduce_segment,
                                                                      &mpi_coll_reduce_long, &tree),
                                              .inter = MPI_COLL_TABLE(&inter)};

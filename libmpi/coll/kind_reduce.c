/* SPDX-License-Identifier: MIT */
/* Reduce. */
#include "coll/forms.h"
#include "coll/segment.h"
#include "coll/round.h"
#include "coll/vectors.h"

static int begin(struct mpi_coll *c)
{
    const struct mpi_side *s = c->send.type ? &c->send : &c->recv;
    return mpi_coll_vectors(c, s->type, s->count, s->buf, c->recv.type ? c->recv.buf : NULL);
}

static MPI_Count length(const struct mpi_coll *c)
{
    return c->send.type ? c->send.count : c->recv.count;
}

static int binomial(struct mpi_coll *c, int k)
{
    int rc = k ? 0 : begin(c);
    if (rc)
        return rc;
    rc = mpi_coll_reduce_tree(c, &c->comm->coll, c->root, k);
    if (rc == MPI_COLL_DONE && c->role == MPI_ROLE_ROOT)
        mpi_coll_home(c);
    return rc;
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("reduce-binomial"), .round = binomial,
                                               .length = length};

/* The remote group reduces to its first member, who sends the result to the root. */
static int by_leader(struct mpi_coll *c, int k)
{
    struct mpi_elements result = mpi_coll_whole(&c->recv);
    int rc = k || c->step.phase || c->role != MPI_ROLE_MEMBER ? 0 : begin(c);
    if (c->role == MPI_ROLE_IDLE || (c->role == MPI_ROLE_ROOT && k) || rc)
        return rc;
    if (c->role == MPI_ROLE_ROOT)
        return mpi_coll_more(mpi_coll_recv(c, &c->comm->coll, 0, 0, mpi_coll_piece(c, result)));
    if (c->step.phase == 0) {
        rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    if (k || c->rank)
        return MPI_COLL_DONE;
    return mpi_coll_more(mpi_coll_send_acc(c, &c->comm->coll, c->root));
}

static const struct mpi_coll_algorithm inter = {MPI_COLL_NAMED("reduce-leader"), .round = by_leader,
                                                .length = length};

const struct mpi_coll_kind mpi_coll_reduce = {.id = MPI_COLL_REDUCE,
                                              .alike = true,
                                              .choice = MPI_CHOICE_REDUCE,
                                              .rooted = MPI_COLL_TO_ROOT,
                                              .send = MPI_COLL_PIECE,
                                              .recv = MPI_COLL_PIECE,
                                              .check_op = mpi_coll_check_op,
                                              .intra = MPI_COLL_TABLE(&mpi_coll_reduce_linear,
                                                                      &mpi_coll_reduce_segment,
                                                                      &mpi_coll_reduce_long, &tree),
                                              .inter = MPI_COLL_TABLE(&inter)};

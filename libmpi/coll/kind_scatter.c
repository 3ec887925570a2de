/* SPDX-License-Identifier: MIT */
/* Scatter and Scatterv. */
#include <base/error.h>

#include "coll/forms.h"
#include "coll/peer.h"
#include "coll/round.h"

static int give(struct mpi_coll *c, int to)
{
    struct mpi_elements from = mpi_coll_block(&c->send, to);
    if (c->comm->inter || to != c->rank)
        return mpi_coll_send(c, &c->comm->coll, to, 0, from);
    if (!c->in_place)
        mpi_coll_copy(c, from, mpi_coll_whole(&c->recv));
    return 0;
}

/* The root sends to everyone, a window of them at a time. */
static int linear(struct mpi_coll *c, int k)
{
    if (c->role == MPI_ROLE_IDLE || (c->role == MPI_ROLE_MEMBER && k))
        return MPI_COLL_DONE;
    if (c->role == MPI_ROLE_MEMBER)
        return mpi_coll_more(
            mpi_coll_recv(c, &c->comm->coll, c->root, 0, mpi_coll_whole(&c->recv)));
    return mpi_coll_window(c, k, c->remote, 1, give);
}

static const struct mpi_coll_algorithm direct = {MPI_COLL_NAMED("scatter-linear"), .round = linear};

static bool small(const struct mpi_coll *c)
{
    return c->bytes <= mpi_coll_limit(c, MPU_TUNE_GATHER_TREE) && c->size > 4;
}

static void pack_all(struct mpi_coll *c)
{
    for (int i = 0; i < c->size; i++) {
        int d = (i + c->size - c->root) % c->size;
        const struct mpi_elements from = mpi_coll_block(&c->send, i);
        mpi_coll_pack(&from, c->vector.acc + (uint64_t)d * c->bytes);
    }
}

/* The tree of the gather, downwards: d gets, packed, what the ranks d .. d + lowest bit of d - 1
 * are to get, and hands on their part to those who add a lower bit. */
static int binomial(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, d = (c->rank + size - c->root) % size, bit = 1, children = 0, rc;
    for (; bit < size && !(d & bit); bit *= 2)
        children += d + bit < size;
    uint64_t mine = (uint64_t)(bit < size - d ? bit : size - d) * c->bytes;
    if (k > 1)
        return MPI_COLL_DONE;
    if (k == 0) {
        c->vector.acc = mpi_coll_temp(c, mine);
        if (!c->vector.acc)
            return -B_ENOMEM;
        if (d)
            return mpi_coll_more(mpi_coll_recv(c, on, (d - bit + c->root) % size, 0,
                                               mpi_coll_bytes(c->vector.acc, mine)));
        pack_all(c);
        return MPI_COLL_MORE;
    }
    const struct mpi_elements to = mpi_coll_whole(&c->recv);
    if (!c->in_place)
        mpi_coll_unpack(c->vector.acc, &to);
    rc = mpi_coll_reserve(c, children);
    for (bit /= 2; bit && !rc; bit /= 2)
        if (d + bit < size) {
            uint64_t theirs = (uint64_t)(bit < size - d - bit ? bit : size - d - bit);
            rc = mpi_coll_send(
                c, on, (d + bit + c->root) % size, 0,
                mpi_coll_bytes(c->vector.acc + (uint64_t)bit * c->bytes, theirs * c->bytes));
        }
    return mpi_coll_more(rc);
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("scatter-binomial"), .applies = small,
                                               .round = binomial};

const struct mpi_coll_kind mpi_coll_scatter = {
    .id = MPI_COLL_SCATTER,
    .alike = true,
    .choice = MPI_CHOICE_SCATTER,
    .rooted = MPI_COLL_FROM_ROOT,
    .send = MPI_COLL_BLOCKS,
    .recv = MPI_COLL_PIECE,
    .intra = MPI_COLL_TABLE(&mpi_coll_scatter_peer, &tree, &direct),
    .inter = MPI_COLL_TABLE(&direct)};

const struct mpi_coll_kind mpi_coll_scatterv = {.id = MPI_COLL_SCATTERV,
                                                .rooted = MPI_COLL_FROM_ROOT,
                                                .send = MPI_COLL_BLOCKS,
                                                .recv = MPI_COLL_PIECE,
                                                .intra =
                                                    MPI_COLL_TABLE(&mpi_coll_scatter_peer, &direct),
                                                .inter = MPI_COLL_TABLE(&direct)};

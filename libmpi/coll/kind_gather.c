/* SPDX-License-Identifier: MIT */
/* Gather and Gatherv. */
#include <base/error.h>

#include "coll/forms.h"
#include "coll/peer.h"
#include "coll/round.h"

static int take(struct mpi_coll *c, int from)
{
    struct mpi_elements to = mpi_coll_block(&c->recv, from);
    if (c->comm->inter || from != c->rank)
        return mpi_coll_recv(c, &c->comm->coll, from, 0, to);
    if (!c->in_place)
        mpi_coll_copy(c, mpi_coll_whole(&c->send), to);
    return 0;
}

/* Everyone sends to the root, which asks for a window of them at a time. */
static int linear(struct mpi_coll *c, int k)
{
    if (c->role == MPI_ROLE_IDLE || (c->role == MPI_ROLE_MEMBER && k))
        return MPI_COLL_DONE;
    if (c->role == MPI_ROLE_MEMBER)
        return mpi_coll_more(
            mpi_coll_send(c, &c->comm->coll, c->root, 0, mpi_coll_whole(&c->send)));
    return mpi_coll_window(c, k, c->remote, 1, take);
}

static const struct mpi_coll_algorithm direct = {MPI_COLL_NAMED("gather-linear"), .round = linear};

static bool small(const struct mpi_coll *c)
{
    return c->bytes <= mpi_coll_limit(c, MPU_TUNE_GATHER_TREE) && c->size > 4;
}

static void unpack_all(struct mpi_coll *c)
{
    for (int i = 0; i < c->size; i++) {
        int d = (i + c->size - c->root) % c->size;
        const struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (i != c->rank || !c->in_place)
            mpi_coll_unpack(c->vector.acc + (uint64_t)d * c->bytes, &to);
    }
}

/* The tree of distances d from the root: d collects what the ranks d .. d + lowest bit of d - 1
 * gave, packed and in order, and sends it to d without that bit. */
static int binomial(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, d = (c->rank + size - c->root) % size, bit = 1, children = 0, rc;
    for (; bit < size && !(d & bit); bit *= 2)
        children += d + bit < size;
    int mine = bit < size - d ? bit : size - d;
    if (k == 1 && d)
        return mpi_coll_more(
            mpi_coll_send(c, on, (d - bit + c->root) % size, 0,
                          mpi_coll_bytes(c->vector.acc, (uint64_t)mine * c->bytes)));
    if (k) {
        if (!d)
            unpack_all(c);
        return MPI_COLL_DONE;
    }
    c->vector.acc = mpi_coll_temp(c, (uint64_t)mine * c->bytes);
    if (!c->vector.acc)
        return -B_ENOMEM;
    const struct mpi_elements own = mpi_coll_whole(&c->send);
    if (!c->in_place)
        mpi_coll_pack(&own, c->vector.acc);
    rc = mpi_coll_reserve(c, children);
    for (int b = 1; b < bit && d + b < size && !rc; b *= 2) {
        uint64_t theirs = (uint64_t)(b < size - d - b ? b : size - d - b);
        rc = mpi_coll_recv(
            c, on, (d + b + c->root) % size, 0,
            mpi_coll_bytes(c->vector.acc + (uint64_t)b * c->bytes, theirs * c->bytes));
    }
    return mpi_coll_more(rc);
}

static const struct mpi_coll_algorithm tree = {MPI_COLL_NAMED("gather-binomial"), .applies = small,
                                               .round = binomial};

const struct mpi_coll_kind mpi_coll_gather = {
    .id = MPI_COLL_GATHER,
    .alike = true,
    .choice = MPI_CHOICE_GATHER,
    .rooted = MPI_COLL_TO_ROOT,
    .send = MPI_COLL_PIECE,
    .recv = MPI_COLL_BLOCKS,
    .intra = MPI_COLL_TABLE(&mpi_coll_gather_peer, &tree, &direct),
    .inter = MPI_COLL_TABLE(&direct)};

const struct mpi_coll_kind mpi_coll_gatherv = {.id = MPI_COLL_GATHERV,
                                               .rooted = MPI_COLL_TO_ROOT,
                                               .send = MPI_COLL_PIECE,
                                               .recv = MPI_COLL_BLOCKS,
                                               .intra =
                                                   MPI_COLL_TABLE(&mpi_coll_gather_peer, &direct),
                                               .inter = MPI_COLL_TABLE(&direct)};

/* SPDX-License-Identifier: MIT */
/* Allgather and Allgatherv. */
#include <base/error.h>
#include <mpiutil/machine.h>

#include "coll/forms.h"
#include "coll/round.h"
#include "coll/channel.h"

#define FEW_BYTES 16 /* of a block */

struct mpi_elements mpi_coll_gather_own(const struct mpi_coll *c)
{
    if (c->in_place)
        return mpi_coll_block(&c->recv, c->rank);
    return mpi_coll_whole(&c->send);
}

/* Round k passes on the block that came in the round before. The own one leaves from where it is,
 * and is brought to its place while others are under way. */
static int around(struct mpi_coll *c, int k)
{
    int size = c->size, me = c->rank, in = (me + 2 * size - k - 1) % size, rc = MPI_COLL_DONE;
    const struct mpi_elements block = mpi_coll_block(&c->recv, (me + size - k) % size);
    const struct mpi_elements out = k == 0 ? mpi_coll_gather_own(c) : block;
    if (k < size - 1)
        rc = mpi_coll_shift(c, &c->comm->coll, 1, 0, out, mpi_coll_block(&c->recv, in));
    if (k == 0)
        mpi_coll_copy(c, &out, &block);
    return rc;
}

static const struct mpi_coll_algorithm ring = {MPI_COLL_NAMED("allgather-ring"), .round = around};

/* Around a ring of many, blocks of a few bytes would each pay for a message. */
bool mpi_coll_allgather_few(const struct mpi_coll *c)
{
    return (c->bytes * (uint64_t)c->size <= mpi_coll_limit(c, MPU_TUNE_ALLGATHER_DOUBLING) ||
            c->bytes <= FEW_BYTES) &&
           c->size > 2;
}

int mpi_coll_double(struct mpi_coll *c, const struct mpu_comm *on, int k, uint64_t bytes)
{
    int size = on->size, have = 1 << k;
    uint64_t n = (uint64_t)(have < size - have ? have : size - have) * bytes;
    return mpi_coll_shift(c, on, size - have, 0, mpi_coll_bytes(c->vector.acc, n),
                          mpi_coll_bytes(c->vector.acc + (uint64_t)have * bytes, n));
}

/* The own block is there, too: it is what the program gave. */
static void rotate_back(struct mpi_coll *c)
{
    int behind = c->size - c->rank;
    const struct mpi_elements last = mpi_coll_blocks(&c->recv, c->rank, behind);
    const struct mpi_elements first = mpi_coll_blocks(&c->recv, 0, c->rank);
    mpi_coll_unpack(c->vector.acc, &last);
    mpi_coll_unpack(c->vector.acc + (uint64_t)behind * c->bytes, &first);
}

static int doubling(struct mpi_coll *c, int k)
{
    if (k == 0) {
        c->vector.acc = mpi_coll_temp(c, (uint64_t)c->size * c->bytes);
        if (!c->vector.acc)
            return -B_ENOMEM;
        const struct mpi_elements own = mpi_coll_gather_own(c);
        const struct mpi_elements to = mpi_coll_bytes(c->vector.acc, c->bytes);
        mpi_coll_copy(c, &own, &to);
    }
    if (1 << k < c->size)
        return mpi_coll_double(c, &c->comm->coll, k, c->bytes);
    rotate_back(c);
    return MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm bruck = {
    MPI_COLL_NAMED("allgather-doubling"), .applies = mpi_coll_allgather_few, .round = doubling};

/* Each step of a ring waits for the one before, and where ranks share processors each wait costs
 * the time slices of others. */
static bool no_ring(const struct mpi_coll *c)
{
    return c->comm->inter || mpu_info()->oversubscribed;
}

static const struct mpi_coll_algorithm pairs = {MPI_COLL_NAMED("allgather-pairwise"),
                                                .applies = no_ring, .round = mpi_coll_pairwise};

const struct mpi_coll_kind mpi_coll_allgather = {
    .id = MPI_COLL_ALLGATHER,
    .send = MPI_COLL_WHOLE,
    .recv = MPI_COLL_BLOCKS,
    .intra = MPI_COLL_TABLE(&mpi_coll_allgather_segment, &mpi_coll_allgather_peer,
                            &mpi_coll_allgather_long, &mpi_coll_allgather_channel, &bruck, &pairs,
                            &ring),
    .inter = MPI_COLL_TABLE(&pairs)};

/* All must give the same counts. */
static int check_counts(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    int rc = mpi_coll_check(c, a);
    if (!rc)
        mpi_coll_add_blocks(c, c->remote);
    return rc;
}

const struct mpi_coll_kind mpi_coll_allgatherv = {
    .id = MPI_COLL_ALLGATHERV,
    .check = check_counts,
    .send = MPI_COLL_WHOLE,
    .recv = MPI_COLL_BLOCKS,
    .intra = MPI_COLL_TABLE(&mpi_coll_allgather_segment, &mpi_coll_allgather_peer,
                            &mpi_coll_allgather_channel, &pairs, &ring),
    .inter = MPI_COLL_TABLE(&pairs)};

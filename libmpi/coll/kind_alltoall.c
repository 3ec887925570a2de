/* SPDX-License-Identifier: MIT */
/* Alltoall, Alltoallv and Alltoallw. */
#include <base/error.h>
#include <base/mem.h>

#include "coll/forms.h"
#include "coll/round.h"
#include "coll/channel.h"

struct mpi_elements mpi_coll_alltoall_out(const struct mpi_coll *c, int to)
{
    return mpi_coll_block(c->in_place ? &c->recv : &c->send, to);
}

static const struct mpi_coll_algorithm pairs = {MPI_COLL_NAMED("alltoall-pairwise"),
                                                .round = mpi_coll_pairwise};

static bool small(const struct mpi_coll *c)
{
    return c->bytes <= mpi_coll_limit(c, MPU_TUNE_ALLTOALL_BITS) && c->size > 8;
}

static MPI_Count block_bytes(const struct mpi_coll *c)
{
    return (MPI_Count)c->bytes;
}

/* Bytes of each block that go at once; `rotate` takes twice as many for each rank. */
static MPI_Count block_chunk(const struct mpi_coll *c)
{
    uint64_t n = 4 * mpi_coll_share() / (2 * (uint64_t)c->size);
    return n ? (MPI_Count)n : 1;
}

/* acc: block i is on its way to the rank i ahead; in and spare: what is sent and received. */
static int rotate(struct mpi_coll *c)
{
    uint64_t n = c->bytes - (uint64_t)c->chunk.at, most = (uint64_t)c->chunk.n;
    n = n < most ? n : most;
    uint64_t half = (uint64_t)(c->size / 2 + 1) * n;
    c->vector.count = (MPI_Count)n;
    c->vector.acc = mpi_coll_temp(c, (uint64_t)c->size * n);
    c->vector.in = mpi_coll_temp(c, half);
    c->vector.spare = mpi_coll_temp(c, half);
    if (!c->vector.acc || !c->vector.in || !c->vector.spare)
        return -B_ENOMEM;
    for (int i = 0; i < c->size; i++) {
        struct mpi_elements out = mpi_coll_alltoall_out(c, (c->rank + i) % c->size);
        if (mpi_coll_is_amount(c, mpi_elements_bytes(&out), c->bytes))
            mpi_type_pack(out.type, out.count, out.buf, (uint64_t)c->chunk.at, n,
                          c->vector.acc + i * n);
    }
    return 0;
}

static void rotate_back(struct mpi_coll *c)
{
    uint64_t n = (uint64_t)c->vector.count;
    for (int i = 0; i < c->size; i++) {
        struct mpi_elements in = mpi_coll_block(&c->recv, (c->rank + c->size - i) % c->size);
        mpi_type_unpack(in.type, in.count, in.buf, (uint64_t)c->chunk.at, n, c->vector.acc + i * n);
    }
}

/* Moves the blocks with `bit` in their distance between acc and one run; returns its bytes. */
static uint64_t collect(struct mpi_coll *c, int bit, uint8_t *run, bool back)
{
    uint64_t n = 0, block = (uint64_t)c->vector.count;
    for (int i = bit; i < c->size; i++) {
        if (!(i & bit))
            continue;
        uint8_t *at = c->vector.acc + (uint64_t)i * block;
        memcpy(back ? at : run + n, back ? run + n : at, block);
        n += block;
    }
    mpu_moved(n);
    return n;
}

/* Round k moves a chunk of all blocks whose distance has bit k by 2^k ranks. (Bruck and others,
 * 1997.) */
static int by_bits(struct mpi_coll *c, int k)
{
    int bit = 1 << k, rc = k ? 0 : rotate(c);
    if (rc)
        return rc;
    if (k)
        collect(c, bit / 2, c->vector.spare, true);
    if (bit >= c->size) {
        rotate_back(c);
        return MPI_COLL_DONE;
    }
    uint64_t n = collect(c, bit, c->vector.in, false);
    return mpi_coll_shift(c, &c->comm->coll, bit, 0, mpi_coll_bytes(c->vector.in, n),
                          mpi_coll_bytes(c->vector.spare, n));
}

static const struct mpi_coll_algorithm bruck = {MPI_COLL_NAMED("alltoall-bits"), .applies = small,
                                                .round = by_bits, .length = block_bytes,
                                                .chunk = block_chunk};

const struct mpi_coll_kind mpi_coll_alltoall = {
    .id = MPI_COLL_ALLTOALL,
    .send = MPI_COLL_BLOCKS,
    .recv = MPI_COLL_BLOCKS,
    .intra = MPI_COLL_TABLE(&mpi_coll_alltoall_peer, &mpi_coll_alltoall_segment,
                            &mpi_coll_alltoall_long, &mpi_coll_alltoall_channel, &bruck, &pairs),
    .inter = MPI_COLL_TABLE(&pairs)};

#define KIND(name, NAME)                                                                           \
    const struct mpi_coll_kind mpi_coll_##name = {                                                 \
        .id = MPI_COLL_##NAME,                                                                     \
        .send = MPI_COLL_BLOCKS,                                                                   \
        .recv = MPI_COLL_BLOCKS,                                                                   \
        .intra = MPI_COLL_TABLE(&mpi_coll_alltoall_peer, &pairs),                                  \
        .inter = MPI_COLL_TABLE(&pairs)}
KIND(alltoallv, ALLTOALLV);
KIND(alltoallw, ALLTOALLW);

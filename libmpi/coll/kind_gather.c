/* SPDX-License-Identifier: MIT */
/* Gather and Scatter, with one count and with many: the same, in two directions. */
#include <base/error.h>
#include <mpiutil/machine.h>

#include "coll/forms.h"
#include "coll/segment.h"
#include "coll/round.h"

/* Towards the root. */
static bool gathers(const struct mpi_coll *c)
{
    return c->kind->rooted == MPI_COLL_TO_ROOT;
}

static int message(struct mpi_coll *c, bool sends, int peer, struct mpi_elements d)
{
    const struct mpu_comm *on = &c->comm->coll;
    return sends ? mpi_coll_send(c, on, peer, 0, d) : mpi_coll_recv(c, on, peer, 0, d);
}

static struct mpi_elements own(const struct mpi_coll *c)
{
    return gathers(c) ? mpi_coll_gather_own(c) : mpi_coll_whole(&c->recv);
}

static struct mpi_elements block(const struct mpi_coll *c, int rank)
{
    return mpi_coll_block(gathers(c) ? &c->recv : &c->send, rank);
}

/* The root's, of a block. */
static int trade(struct mpi_coll *c, int rank)
{
    if (c->comm->inter || rank != c->rank)
        return message(c, !gathers(c), rank, block(c, rank));
    if (c->in_place)
        return 0;
    const struct mpi_elements there = block(c, rank), here = own(c);
    mpi_coll_copy(c, gathers(c) ? &here : &there, gathers(c) ? &there : &here);
    return 0;
}

/* Each with the root, which has a window of them at a time. */
int mpi_coll_rooted_linear(struct mpi_coll *c, int k)
{
    if (c->role == MPI_ROLE_IDLE)
        return MPI_COLL_DONE;
    if (c->role == MPI_ROLE_MEMBER)
        return mpi_coll_last(message(c, gathers(c), c->root, own(c)));
    return mpi_coll_window(c, k, c->remote, 1, trade);
}

/* Where ranks share processors each level of a tree may cost a time slice. */
static bool small(const struct mpi_coll *c)
{
    return c->bytes <= mpi_coll_limit(c, MPU_TUNE_GATHER_TREE) && c->size > 4 &&
           !mpu_info()->oversubscribed;
}

/* The tree of distances d from the root: d has, packed and in order, what is of the ranks d ..
 * d + lowest bit of d - 1. Its parent is d without that bit, its children add a lower one. */
struct place {
    int d, bit;
};

static struct mpi_elements packed(const struct mpi_coll *c, int d, int at, int bit)
{
    uint64_t ranks = (uint64_t)(bit < c->size - d - at ? bit : c->size - d - at);
    return mpi_coll_bytes(c->vector.acc + (uint64_t)at * c->bytes, ranks * c->bytes);
}

/* False: the root's blocks are of another amount than what it gives or takes itself, as all do. */
static bool root_packs(struct mpi_coll *c)
{
    bool up = gathers(c), all = true;
    for (int i = 0; i < c->size && all; i++) {
        int d = (i + c->size - c->root) % c->size;
        const struct mpi_elements data = block(c, i);
        uint8_t *at = c->vector.acc + (uint64_t)d * c->bytes;
        if (up && c->in_place && i == c->rank)
            continue;
        uint64_t bytes = mpi_elements_bytes(&data);
        all = up ? mpi_coll_is_amount(c, c->bytes, bytes) : mpi_coll_is_amount(c, bytes, c->bytes);
        if (all && up)
            mpi_coll_unpack(at, &data);
        else if (all)
            mpi_coll_pack(&data, at);
    }
    return all;
}

/* Those that have most under them are told first, or heard last. */
static int trade_with_children(struct mpi_coll *c, const struct place *p)
{
    const struct mpi_elements data = own(c);
    bool up = gathers(c);
    int children = 0;
    for (int bit = 1; bit < p->bit; bit *= 2)
        children += p->d + bit < c->size;
    if (!c->in_place && up)
        mpi_coll_pack(&data, c->vector.acc);
    else if (!c->in_place)
        mpi_coll_unpack(c->vector.acc, &data);
    int rc = mpi_coll_reserve(c, children);
    for (int i = 1; i < p->bit && !rc; i *= 2) {
        int bit = up ? i : p->bit / 2 / i;
        if (p->d + bit < c->size)
            rc = message(c, !up, (p->d + bit + c->root) % c->size, packed(c, p->d, bit, bit));
    }
    return mpi_coll_more(rc);
}

/* Upwards the children come in the first round, downwards in the second. */
static int binomial(struct mpi_coll *c, int k)
{
    struct place p = {(c->rank + c->size - c->root) % c->size, 1};
    bool up = gathers(c);
    while (p.bit < c->size && !(p.d & p.bit))
        p.bit *= 2;
    int ranks = p.bit < c->size - p.d ? p.bit : c->size - p.d;
    if (k == 0 && !(c->vector.acc = mpi_coll_temp(c, (uint64_t)ranks * c->bytes)))
        return -B_ENOMEM;
    if (k == (up ? 0 : 1))
        return trade_with_children(c, &p);
    if (k > 1)
        return MPI_COLL_DONE;
    if (p.d)
        return mpi_coll_more(
            message(c, up, (p.d - p.bit + c->root) % c->size, packed(c, p.d, 0, p.bit)));
    bool all = root_packs(c);
    return up ? MPI_COLL_DONE : all ? MPI_COLL_MORE : -B_EINVAL;
}

/* ...: what is taken before the tree, where it applies. */
#define BOTH(verb, ID, direction, sends, receives, ...)                                            \
    static const struct mpi_coll_algorithm verb##_direct = {MPI_COLL_NAMED(#verb "-linear"),       \
                                                            .round = mpi_coll_rooted_linear};      \
    static const struct mpi_coll_algorithm verb##_tree = {MPI_COLL_NAMED(#verb "-binomial"),       \
                                                          .applies = small, .round = binomial};    \
    const struct mpi_coll_kind mpi_coll_##verb = {                                                 \
        .id = MPI_COLL_##ID,                                                                       \
        .rooted = direction,                                                                       \
        .send = sends,                                                                             \
        .recv = receives,                                                                          \
        .intra = MPI_COLL_TABLE(__VA_ARGS__, &verb##_tree, &verb##_direct),                        \
        .inter = MPI_COLL_TABLE(&verb##_direct)};                                                  \
    const struct mpi_coll_kind mpi_coll_##verb##v = {                                              \
        .id = MPI_COLL_##ID##V,                                                                    \
        .rooted = direction,                                                                       \
        .send = sends,                                                                             \
        .recv = receives,                                                                          \
        .intra = MPI_COLL_TABLE(__VA_ARGS__, &verb##_direct),                                      \
        .inter = MPI_COLL_TABLE(&verb##_direct)}

BOTH(gather, GATHER, MPI_COLL_TO_ROOT, MPI_COLL_WHOLE, MPI_COLL_BLOCKS, &mpi_coll_gather_peer);
BOTH(scatter, SCATTER, MPI_COLL_FROM_ROOT, MPI_COLL_BLOCKS, MPI_COLL_WHOLE, &mpi_coll_scatter_peer,
     &mpi_coll_scatter_multicast);

/* SPDX-License-Identifier: MIT */
/* Broadcast and Scatter between processes that share memory: the root leaves its data there, and
 * goes on; every other rank, of whatever process, takes it, or its block, when it comes
 * (mpiutil/multicast.h). */
#include <base/assert.h>
#include <base/mem.h>
#include <mpiutil/multicast.h>

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters > 1 && c->comm->shared;
}

static void pack(void *coll, uint64_t at, uint64_t n, void *piece)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_pack(s->type, s->count, s->buf, at, n, piece);
}

static void unpack(void *coll, uint64_t at, uint64_t n, void *piece)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_unpack(s->type, s->count, s->buf, at, n, piece);
}

/* Who has waited for long asks the root; the root those who may be late. */
static bool cancelled(void *arg)
{
    struct mpi_coll *c = arg;
    for (int i = 0; i < c->size && mpi_coll_stalled(c); i++)
        if (i != c->rank && (c->role == MPI_ROLE_ROOT || i == c->root))
            c->p->checker->hooks->query(c, mpu_comm_world(&c->comm->coll, i));
    return mpi_coll_cancelled(c);
}

/* False: it is broken. */
static bool cast(struct mpi_coll *c, struct mpu_cast *x)
{
    struct mpu_visit *visit = mpi_segment_visit(c, cancelled);
    x->number = mpi_segment_number(c);
    x->rank = c->rank;
    x->root = c->root;
    x->visit = visit;
    x->place = &c->comm->cast;
    x->data = c;
    if (!visit->left && mpu_multicast(c->segment.at, c->p->rank, x))
        return true;
    mpi_segment_break(c, &x->outcome);
    return false;
}

static void broadcast(struct mpi_coll *c)
{
    bool root = c->role == MPI_ROLE_ROOT;
    MPI_Aint offset = 0;
    struct mpi_elements data = mpi_coll_whole(&c->recv);
    bool run = c->bytes && mpi_type_run(data.type, data.count, &offset);
    struct mpu_cast x = {.bytes = c->bytes,
                         .run = run ? (uint8_t *)data.buf + offset : NULL,
                         .move = root ? pack : unpack,
                         .mark = c->bytes ? c->messages.element : 0};
    if (cast(c, &x) && !root)
        mpi_coll_compare(c, x.mark, data.type);
}

static const struct mpi_segment_form bcast_form = {
    .fits = mpi_segment_has_place, .otherwise = mpi_coll_otherwise, .instead = broadcast};

const struct mpi_coll_algorithm mpi_coll_bcast_multicast = {
    MPI_COLL_NAMED("bcast-multicast"), .applies = applies, .meet = mpi_segment_run,
    .form = &bcast_form};

/* Scatter. The root, who alone may know them, tells how much each gets, and behind that gives it;
 * if it is too much in all, the blocks are messages. */

enum { BY_MESSAGE = UINT32_MAX };

/* What tells it, and all blocks. */
static uint64_t dealt_bytes(const struct mpi_coll *c, uint64_t blocks)
{
    return ((uint64_t)c->size * sizeof(uint32_t) + 7) / 8 * 8 + blocks;
}

/* A long block is faster read by its rank where the root has it. */
static bool few(const struct mpi_coll *c, uint64_t blocks)
{
    return dealt_bytes(c, blocks) <= MPU_CAST_SLOT &&
           blocks <= c->comm->short_most * (uint64_t)c->size;
}

static bool deals(const struct mpi_coll *c)
{
    return applies(c) && few(c, c->bytes * (uint64_t)c->size);
}

static uint64_t block_bytes(const struct mpi_coll *c, int i)
{
    const struct mpi_elements block = mpi_coll_block(&c->send, i);
    return i != c->rank ? mpi_elements_bytes(&block) : 0;
}

static void deal(void *coll, uint64_t at, uint64_t n, void *piece)
{
    struct mpi_coll *c = coll;
    uint32_t *bytes = piece;
    uint8_t *data = (uint8_t *)piece + dealt_bytes(c, 0);
    (void)at, (void)n;
    b_assert(at == 0);
    for (int i = 0; i < c->size; i++) {
        const struct mpi_elements block = mpi_coll_block(&c->send, i);
        bytes[i] = c->rest ? BY_MESSAGE : (uint32_t)block_bytes(c, i);
        if (c->rest || i == c->rank)
            continue;
        mpi_coll_pack(&block, data);
        data += bytes[i];
    }
}

static void take_dealt(void *coll, uint64_t at, uint64_t n, void *piece)
{
    struct mpi_coll *c = coll;
    const uint32_t *bytes = piece;
    const uint8_t *data = (const uint8_t *)piece + dealt_bytes(c, 0);
    const struct mpi_elements own = mpi_coll_whole(&c->recv);
    (void)at, (void)n;
    b_assert(at == 0);
    c->rest = bytes[c->rank] == BY_MESSAGE;
    if (c->rest)
        return;
    for (int i = 0; i < c->rank; i++)
        data += bytes[i];
    if (mpi_coll_is_amount(c, bytes[c->rank], mpi_elements_bytes(&own)))
        mpi_coll_unpack(data, &own);
}

static void scatter(struct mpi_coll *c)
{
    bool root = c->role == MPI_ROLE_ROOT;
    uint64_t blocks = 0;
    for (int i = 0; root && i < c->size; i++)
        blocks += block_bytes(c, i);
    c->rest = !few(c, blocks);
    struct mpu_cast x = {.bytes = dealt_bytes(c, c->rest ? 0 : blocks),
                         .move = root ? deal : take_dealt,
                         .mark = root ? c->send.type->mark : 0};
    if (!cast(c, &x) || c->rest)
        return;
    const struct mpi_elements to = mpi_coll_whole(&c->recv);
    if (!root && mpi_elements_bytes(&to))
        mpi_coll_compare(c, x.mark, to.type);
    if (!root || c->in_place)
        return;
    const struct mpi_elements own = mpi_coll_block(&c->send, c->rank);
    mpi_coll_copy(c, &own, &to);
}

static const struct mpi_segment_form scatter_form = {
    .fits = mpi_segment_has_place, .otherwise = mpi_coll_otherwise, .instead = scatter};

const struct mpi_coll_algorithm mpi_coll_scatter_multicast = {
    MPI_COLL_NAMED("scatter-multicast"), .applies = deals, .meet = mpi_segment_run,
    .form = &scatter_form, .round = mpi_coll_rooted_linear};

/* SPDX-License-Identifier: MIT */
/* Broadcast and Scatter between processes that share memory: the root leaves its data there, and
 * goes on; every other rank, of whatever process, takes it, or its block, when it comes
 * (mpiutil/multicast.h). Nonblocking ones are queued in the order in which they were begun,
 * and a wait is one of the flow's. */
#include <base/assert.h>
#include <mpiutil/flow.h>
#include <mpiutil/multicast.h>

#include "coll/agree.h"
#include "coll/channel.h"
#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

static bool applies(const struct mpi_coll *c)
{
    return c->blocking ? c->comm->shared : mpi_channels_may_do(c);
}

static void pack(void *coll, uint64_t at, uint64_t n, void *chunk)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_pack(s->type, s->count, s->buf, at, n, chunk);
}

static void unpack(void *coll, uint64_t at, uint64_t n, void *chunk)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_unpack(s->type, s->count, s->buf, at, n, chunk);
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

static void describe_bcast(struct mpi_coll *c, struct mpu_cast *x)
{
    MPI_Aint offset = 0;
    struct mpi_elements data = mpi_coll_whole(&c->recv);
    bool run = c->bytes && mpi_type_run(data.type, data.count, &offset);
    *x = (struct mpu_cast){.bytes = c->bytes,
                           .run = run ? (uint8_t *)data.buf + offset : NULL,
                           .move = c->role == MPI_ROLE_ROOT ? pack : unpack,
                           .mark = c->bytes ? c->messages.element : 0};
}

/* Scatter. The root, who alone may know them, tells how much each gets, and behind that gives it;
 * if it is too much in all, the blocks are messages. */

enum { BY_MESSAGE = UINT32_MAX };

/* What tells it, and all blocks. */
static uint64_t dealt_bytes(const struct mpi_coll *c, uint64_t blocks)
{
    return ((uint64_t)c->size * sizeof(uint32_t) + 7) / 8 * 8 + blocks;
}

/* A long block is faster read by its rank where the root has it, one half as long if there are many
 * of them, which the root copies one after the other. */
static bool few(const struct mpi_coll *c, uint64_t blocks)
{
    uint64_t all = dealt_bytes(c, blocks), most = c->comm->short_most * (uint64_t)c->size;
    return all <= MPU_CAST_WHOLE && blocks <= (all <= MPU_CAST_SLOT ? most : most / 2);
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

static void deal(void *coll, uint64_t at, uint64_t n, void *chunk)
{
    struct mpi_coll *c = coll;
    uint32_t *bytes = chunk;
    uint8_t *data = (uint8_t *)chunk + dealt_bytes(c, 0);
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

static void take_dealt(void *coll, uint64_t at, uint64_t n, void *chunk)
{
    struct mpi_coll *c = coll;
    const uint32_t *bytes = chunk;
    const uint8_t *data = (const uint8_t *)chunk + dealt_bytes(c, 0);
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

static void describe_scatter(struct mpi_coll *c, struct mpu_cast *x)
{
    bool root = c->role == MPI_ROLE_ROOT;
    uint64_t blocks = 0;
    for (int i = 0; root && i < c->size; i++)
        blocks += block_bytes(c, i);
    c->rest = !few(c, blocks);
    *x = (struct mpu_cast){.bytes = dealt_bytes(c, c->rest ? 0 : blocks),
                           .whole = true,
                           .move = root ? deal : take_dealt,
                           .mark = root ? c->send.type->mark : 0};
}

static void after_scatter(struct mpi_coll *c, const struct mpu_cast *x)
{
    const struct mpi_elements to = mpi_coll_whole(&c->recv);
    bool root = c->role == MPI_ROLE_ROOT;
    if (c->rest)
        return;
    if (!root && mpi_elements_bytes(&to))
        mpi_coll_compare(c, x->mark, to.type);
    if (!root || c->in_place)
        return;
    const struct mpi_elements own = mpi_coll_block(&c->send, c->rank);
    mpi_coll_copy(c, &own, &to);
}

/* Both ----------------------------------------------------------------------------------------- */

/* Of which all ranks get all. */
static bool is_bcast(const struct mpi_coll *c)
{
    return c->kind->rooted == MPI_COLL_BY_ROOT;
}

static void describe(struct mpi_coll *c, struct mpu_cast *x)
{
    if (is_bcast(c))
        describe_bcast(c, x);
    else
        describe_scatter(c, x);
    x->rank = c->rank;
    x->root = c->root;
    x->visit = &c->segment.visit;
    x->number = x->visit->signature.number;
    x->data = c;
}

static void after(struct mpi_coll *c, const struct mpu_cast *x, bool done)
{
    if (!done)
        mpi_segment_break(c, &x->outcome);
    else if (!is_bcast(c))
        after_scatter(c, x);
    else if (c->role != MPI_ROLE_ROOT)
        mpi_coll_compare(c, x->mark, c->recv.type);
}

/* Blocking: all of it, but for what is left for messages. */
static bool cast(struct mpi_coll *c)
{
    struct mpu_cast x;
    if (!mpi_segment_join(c))
        return false;
    if (!c->segment.at->shared)
        return mpi_coll_otherwise(c);
    bool left = mpi_segment_visit(c, cancelled)->left;
    describe(c, &x);
    x.place = &c->comm->cast;
    after(c, &x, !left && mpu_multicast(c->segment.at, c->p->rank, &x));
    return c->rest;
}

/* Where a nonblocking one is (step.phase). */
enum { COMES, UNDER_WAY, REST };

/* From when it comes until it leaves: its queue is their first member. */
static struct mpi_casts *casts_of(const struct mpi_coll *c)
{
    b_assert(c->place.queue);
    return (struct mpi_casts *)c->place.queue;
}

/* Others wait for what the root gives, for who is behind in chunks of long data, and for whatever
 * is queued behind it. */
static int waits(struct mpi_coll *c)
{
    if (c->role == MPI_ROLE_ROOT || c->bytes > MPU_CAST_SLOT || c->place.next) {
        mpu_flow_matters(c->p->rank);
        mpu_caster_hurry(casts_of(c)->at);
    }
    return MPI_COLL_WAITS;
}

static int go_on(struct mpi_coll *c, enum mpu_cast_state state)
{
    if (state == MPU_CAST_WAITS)
        return waits(c);
    after(c, &casts_of(c)->now, state == MPU_CAST_DONE);
    if (c->place.queue) /* else it was broken, and has left */
        mpi_queue_leave(c);
    if (!c->rest || c->broken)
        return MPI_COLL_DONE;
    mpu_flow_matters(c->p->rank);
    return mpi_coll_phase(c); /* REST */
}

static int begin(struct mpi_coll *c)
{
    struct mpi_casts *casts = casts_of(c);
    if (mpi_segment_visit(c, mpi_coll_cancelled)->left)
        return MPI_COLL_DONE;
    c->step.phase = UNDER_WAY;
    describe(c, &casts->now);
    return go_on(c, mpu_caster_begin(casts->at, &casts->now));
}

static int come(struct mpi_coll *c)
{
    int step;
    struct mpi_casts *casts = mpi_casts_join(c, &step);
    if (!casts)
        return step;
    if (mpi_queue_enter(&casts->queue, c))
        return begin(c);
    mpu_caster_hurry(casts->at);
    return MPI_COLL_WAITS;
}

static int steps(struct mpi_coll *c, int k)
{
    if (c->blocking || c->step.phase == REST)
        return mpi_coll_rooted_linear(c, k);
    if (k == 0)
        return come(c);
    return c->step.phase == COMES ? begin(c) : go_on(c, mpu_caster_go_on(casts_of(c)->at));
}

const struct mpi_coll_algorithm mpi_coll_bcast_multicast = {
    MPI_COLL_NAMED("bcast-multicast"), .applies = applies, .meet = cast, .round = steps};

const struct mpi_coll_algorithm mpi_coll_scatter_multicast = {
    MPI_COLL_NAMED("scatter-multicast"), .applies = deals, .meet = cast, .round = steps};

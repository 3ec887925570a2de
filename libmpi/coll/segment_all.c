/* SPDX-License-Identifier: MIT */
/* Collectives of few bytes in which every rank reads what all gave, mostly in the memory that the
 * leaders of their clusters share: one meeting, in place of a wait for each round of messages. */
#include <stdatomic.h>

#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

/* Allgather, with one count and with many: the leader of a cluster gives its share: how much each
 * member of it gives, and behind that their data, packed. Where clusters share memory all read the
 * shares there; where there is one all read its share, which is the result; else, with one count,
 * the leaders double by messages what they have (Bruck and others, 1997), and the members read what
 * their leader has got:
 *
 *     arrive, "here is my operation" -> [leader: pack] -> [leaders: doubling] -> release -> read
 *
 * So a cluster takes part with one rank's messages, and holds what all gave once, beside the
 * buffers of the program. */

struct given {
    uint16_t bytes, at; /* how much, and where in the data */
    uint16_t mark;      /* of its elements */
    uint16_t unused;
};
enum { BLOCKS_AT = sizeof(struct given), TOO_MUCH = UINT16_MAX };
_Static_assert(BLOCKS_AT == 8 && MPU_SEGMENT_HEAD + MPU_SEGMENT_BYTES < TOO_MUCH, "it is a head");

/* Taken by the leader, read by all, freed by whoever reads it last: so the leader need not wait for
 * the others. */
struct heard {
    atomic_int readers;
    _Alignas(16) uint8_t shares[]; /* beginning with the own cluster's */
};

/* Of an Allgather with one count. */
static uint64_t share_bytes(const struct mpi_coll *c)
{
    uint64_t data = (uint64_t)c->comm->fullest * c->bytes;
    return (uint64_t)c->comm->fullest * sizeof(struct given) +
           (data + BLOCKS_AT - 1) / BLOCKS_AT * BLOCKS_AT;
}

/* All ranks live there. */
static bool one_cluster(const struct mpi_coll *c)
{
    return c->comm->clusters == 1 && c->size > 1;
}

static bool in_memory(const struct mpi_coll *c)
{
    return c->comm->shared || one_cluster(c);
}

/* A leader has room for as much of each member: in its slot, or where the result lies, which is no
 * longer than what the ranks of a cluster give together. By messages each gives what all are to
 * give. */
static bool fits(const struct mpi_coll *c, uint64_t bytes)
{
    uint64_t members = (uint64_t)c->comm->fullest, limit = c->comm->short_most;
    if (!in_memory(c))
        return bytes == c->bytes;
    return bytes <= limit / members &&
           (sizeof(struct given) + bytes) * members <=
               MPU_SEGMENT_HEAD + (one_cluster(c) ? limit : MPU_SEGMENT_BYTES);
}

/* By messages where clusters have several ranks of the communicator each, and about as many. */
static bool gathers_by_leaders(const struct mpi_coll *c)
{
    int clusters = c->comm->clusters, fullest = c->comm->fullest;
    return !c->recv.counts.at && clusters > 1 && 2 * clusters <= c->size &&
           clusters * fullest <= 2 * c->size && c->bytes < TOO_MUCH / (uint64_t)fullest &&
           mpi_coll_allgather_few(c);
}

bool mpi_segment_gathers_all(const struct mpi_coll *c)
{
    bool may = true;
    for (int i = 0; i < (c->recv.counts.at ? c->size : 1) && may; i++) {
        const struct mpi_elements block = mpi_coll_block(&c->recv, i);
        may = fits(c, mpi_elements_bytes(&block));
    }
    return may;
}

static bool gathers_all(const struct mpi_coll *c)
{
    return c->blocking && (in_memory(c) ? mpi_segment_gathers_all(c) : gathers_by_leaders(c));
}

/* Where leaders meet in shared memory, if they are to. */
static bool has_place(const struct mpi_coll *c)
{
    return !c->comm->shared || c->segment.at->shared;
}

/* Both with the price of a copy. */
static void pack(struct mpu_copies *copies, const struct mpi_elements *from, uint8_t *to)
{
    if (from->type->kind == MPI_KIND_BASIC)
        mpu_copy_also(copies, to, from->buf, (uint64_t)from->count * (uint64_t)from->type->size);
    else
        mpi_coll_pack(from, to);
}

/* The leader alone has not shown what it does. */
static const struct mpi_coll *member(const struct mpi_coll *c, int i)
{
    return c->segment.at->members == 1 ? c : mpi_segment_shown(c, i);
}

/* What tells of a block may lie in a line that others look at all the time: it is written in one
 * go, behind the data. */
static void give_share(struct mpi_coll *c, uint8_t *to)
{
    struct given *g = (struct given *)(void *)to;
    uint8_t *data = (uint8_t *)&g[c->comm->fullest];
    uint64_t at = 0;
    struct mpu_copies copies;
    mpu_copies_begin(&copies);
    for (int i = 0; i < c->segment.at->members; i++) {
        const struct mpi_elements own = mpi_coll_gather_own(member(c, i));
        uint64_t bytes = mpi_elements_bytes(&own);
        bool fit = fits(c, bytes);
        if (fit)
            pack(&copies, &own, data + at);
        g[i] = (struct given){.bytes = (uint16_t)(fit ? bytes : TOO_MUCH),
                              .at = (uint16_t)at,
                              .mark = own.type->mark};
        at += fit ? bytes : 0;
    }
    mpu_copy_all(&copies);
}

/* h: what the leader heard, where clusters share no memory. */
static const struct given *given_by(const struct mpi_coll *c, const struct heard *h, int rank,
                                    const uint8_t **data)
{
    const struct mpu_segment *s = c->segment.at;
    struct mpu_position at = s->position[rank];
    const void *share;
    if (h) {
        int turned = at.cluster - s->cluster + (at.cluster < s->cluster ? s->clusters : 0);
        share = h->shares + (uint64_t)turned * share_bytes(c);
    } else {
        share = s->clusters == 1 ? mpu_segment_result(s, &c->segment.visit)->bytes
                                 : mpu_leaders_given(s, at.cluster);
    }
    const struct given *g = share;
    *data = (const uint8_t *)&g[c->comm->fullest] + g[at.member].at;
    return &g[at.member];
}

static void unpack(struct mpu_copies *copies, const uint8_t *from, const struct mpi_elements *to)
{
    if (to->type->kind == MPI_KIND_BASIC)
        mpu_copy_also(copies, to->buf, from, (uint64_t)to->count * (uint64_t)to->type->size);
    else
        mpi_coll_unpack(from, to);
}

/* How many blocks from i on lie beside each other, there and here. */
static int beside(const struct mpi_coll *c, const struct given *g, int i, uint64_t wanted)
{
    int n = 1, most = c->recv.counts.at ? 1 : mpi_segment_neighbours(c, i);
    while (n < most && g[n].bytes == wanted && g[n].at == g[0].at + (uint64_t)n * wanted)
        n++;
    return n;
}

/* From where it is (mpu_leaders_given). Among others of its cluster it is read as they are. */
static void copy_own(struct mpi_coll *c)
{
    const struct mpi_elements own = mpi_coll_gather_own(c), to = mpi_coll_block(&c->recv, c->rank);
    mpi_coll_copy(c, &own, &to);
}

static void read_shares(struct mpi_coll *c, const struct heard *h)
{
    struct mpu_copies copies;
    mpu_copies_begin(&copies);
    for (int i = 0, n; i < c->size; i += n) {
        const uint8_t *data;
        if (i == c->rank && c->segment.at->members == 1) {
            copy_own(c);
            n = 1;
            continue;
        }
        const struct given *g = given_by(c, h, i, &data);
        struct mpi_elements to = mpi_coll_block(&c->recv, i);
        uint64_t wanted = mpi_elements_bytes(&to);
        n = beside(c, g, i, wanted);
        to.count *= n;
        if (mpi_coll_is_amount(c, g->bytes, wanted))
            unpack(&copies, data, &to);
        for (int k = 0; k < n && wanted; k++)
            mpi_coll_compare(c, g[k].mark, to.type);
    }
    mpu_copy_all(&copies);
}

static void take_shares(struct mpi_coll *c)
{
    struct heard *h = NULL;
    if (!in_memory(c))
        memcpy(&h, mpu_segment_result(c->segment.at, &c->segment.visit)->bytes, sizeof h);
    read_shares(c, h);
    if (h && atomic_fetch_sub(&h->readers, 1) == 1)
        mpi_free(c->p, h);
}

/* Of leaders that share no memory. It must be pages of its own, which alone another rank may
 * free. */
static int begin(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    uint64_t n = sizeof(struct heard) + (uint64_t)s->clusters * share_bytes(c);
    struct heard *h = mpi_coll_temp(c, n < MPU_PAGES_FROM ? MPU_PAGES_FROM : n);
    if (!h)
        return -B_ENOMEM;
    atomic_init(&h->readers, s->members);
    memset(h->shares, 0, share_bytes(c)); /* there may be fewer members than elsewhere */
    give_share(c, h->shares);
    c->vector.acc = h->shares;
    c->messages.element = 0; /* each share has the marks of its elements */
    return 0;
}

/* What the operation took is no longer its own. */
static int end(struct mpi_coll *c)
{
    if (!c->error)
        memcpy(mpi_segment_next(c), &c->temp[--c->messages.temps], sizeof c->temp[0]);
    mpi_segment_finish(c);
    return MPI_COLL_DONE;
}

static int doubling(struct mpi_coll *c, int k)
{
    int rc = k == 0 ? begin(c) : 0;
    if (rc)
        return rc;
    if (1 << k >= c->segment.at->clusters)
        return end(c);
    return mpi_coll_double(c, &c->segment.leaders, k, share_bytes(c));
}

static void give_all(struct mpi_coll *c)
{
    give_share(c, mpi_segment_next(c));
}

const struct mpi_segment_form mpi_segment_allgather_form = {.fits = has_place,
                                                            .otherwise = mpi_coll_otherwise,
                                                            .leave = mpi_segment_show,
                                                            .close_all = give_all,
                                                            .head = BLOCKS_AT,
                                                            .give = give_share,
                                                            .take = take_shares};

const struct mpi_coll_algorithm mpi_coll_allgather_segment = {
    MPI_COLL_NAMED("allgather-segment"), .applies = gathers_all, .meet = mpi_segment_run,
    .form = &mpi_segment_allgather_form, .round = doubling};

/* Alltoall, of processes with a rank each: a rank gives the mark of its elements, and behind it its
 * blocks for the others, packed. */

bool mpi_segment_exchanges(const struct mpi_coll *c)
{
    return c->bytes <= c->comm->short_most / (uint64_t)c->size;
}

static bool exchanges(const struct mpi_coll *c)
{
    return c->blocking && c->comm->fullest == 1 && c->comm->shared && mpi_segment_exchanges(c);
}

/* Where all that it gives lies in one run; NULL: it does not. */
static const uint8_t *all_blocks(const struct mpi_coll *c)
{
    const struct mpi_side *s = c->in_place ? &c->recv : &c->send;
    return s->run == (uint64_t)c->size * c->bytes ? s->buf : NULL;
}

static void give_blocks(struct mpi_coll *c, uint8_t *to)
{
    const uint8_t *all = all_blocks(c);
    if (all)
        memcpy(to + BLOCKS_AT, all, (uint64_t)c->size * c->bytes);
    for (int i = 0; i < c->size && !all; i++) {
        struct mpi_elements out = mpi_coll_alltoall_out(c, i);
        if (mpi_coll_is_amount(c, mpi_elements_bytes(&out), c->bytes) && i != c->rank)
            mpi_coll_pack(&out, to + BLOCKS_AT + (uint64_t)i * c->bytes);
    }
    *(uint16_t *)(void *)to = c->messages.element;
}

/* The own one comes from where it is, as above. */
static void take_block(struct mpi_coll *c, int i, const uint8_t *from)
{
    const struct mpi_elements to = mpi_coll_block(&c->recv, i);
    if (i != c->rank) {
        mpi_coll_unpack(from, &to);
    } else if (!c->in_place) {
        const struct mpi_elements own = mpi_coll_alltoall_out(c, i);
        mpi_coll_copy(c, &own, &to);
    }
}

static void take_blocks(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    for (int i = 0; i < c->size && c->bytes; i++) {
        const uint8_t *from = mpu_leaders_given(s, s->position[i].cluster);
        uint16_t mark = i == c->rank ? c->messages.element : *(const uint16_t *)(const void *)from;
        mpi_coll_compare(c, mark, c->recv.type);
        take_block(c, i, from + BLOCKS_AT + (uint64_t)c->rank * c->bytes);
    }
}

const struct mpi_segment_form mpi_segment_alltoall_form = {.fits = has_place,
                                                           .otherwise = mpi_coll_otherwise,
                                                           .head = BLOCKS_AT,
                                                           .blocks = true,
                                                           .give = give_blocks,
                                                           .take = take_blocks};

const struct mpi_coll_algorithm mpi_coll_alltoall_segment = {
    MPI_COLL_NAMED("alltoall-segment"), .applies = exchanges, .meet = mpi_segment_run,
    .form = &mpi_segment_alltoall_form};

/* Scan and Exscan: a leader gives what its members gave, reduced. After the meeting it goes on from
 * what the clusters before gave to what each of its members gets, and writes that there; where
 * there is one cluster, whoever closes the meeting does. */

bool mpi_segment_scans(const struct mpi_coll *c)
{
    return c->bytes <= c->comm->short_most && mpi_coll_is_predefined(c) && !mpi_coll_has_gaps(c);
}

static bool scans(const struct mpi_coll *c)
{
    return c->blocking && in_memory(c) && mpi_segment_scans(c);
}

static bool has_place_in_order(const struct mpi_coll *c)
{
    return has_place(c) && c->segment.at->in_order;
}

static void fold(const struct mpi_coll *c, const void *before, void *to)
{
    mpi_op_apply(c->op, c->recv.type, before, to, c->recv.count);
}

static void give_sum(struct mpi_coll *c, uint8_t *to)
{
    int i = c->segment.at->members - 1;
    if (c->bytes)
        memcpy(to, mpi_coll_operand(member(c, i))->buf, c->bytes);
    while (c->bytes && i-- > 0)
        fold(c, mpi_coll_operand(member(c, i))->buf, to);
}

static void scan_members(struct mpi_coll *c)
{
    const struct mpu_segment *s = c->segment.at;
    const uint8_t *before = NULL;
    for (int i = 0; i < s->members && c->bytes; i++) {
        const struct mpi_coll *m = member(c, i);
        if (!m->in_place)
            mpu_copy(m->recv.buf, m->send.buf, c->bytes);
        if (before)
            fold(c, before, m->recv.buf);
        for (int k = s->cluster - 1; k >= 0 && !before; k--)
            fold(c, mpu_leaders_given(s, k), m->recv.buf);
        before = m->recv.buf;
    }
}

/* What a member gives may lie where its result belongs. */
static void exscan_members(struct mpi_coll *c)
{
    struct mpu_segment *s = c->segment.at;
    uint8_t *before = mpu_segment_next(s)->bytes, *next = mpu_segment_last(s)->bytes;
    bool any = s->cluster > 0;
    if (c->bytes == 0)
        return;
    if (any)
        memcpy(before, mpu_leaders_given(s, s->cluster - 1), c->bytes);
    for (int k = s->cluster - 2; k >= 0; k--)
        fold(c, mpu_leaders_given(s, k), before);
    for (int i = 0; i < s->members; i++, any = true) {
        const struct mpi_coll *m = member(c, i);
        mpu_copy(next, mpi_coll_operand(m)->buf, c->bytes);
        if (any) {
            fold(c, before, next);
            memcpy(m->recv.buf, before, c->bytes);
        }
        uint8_t *used = before;
        before = next;
        next = used;
    }
}

#define PREFIX(id)                                                                                 \
    const struct mpi_segment_form mpi_segment_##id##_form = {.fits = has_place_in_order,           \
                                                             .otherwise = mpi_coll_otherwise,      \
                                                             .leave = mpi_segment_show,            \
                                                             .close_all = id##_members,            \
                                                             .give = give_sum,                     \
                                                             .bring = id##_members};               \
    const struct mpi_coll_algorithm mpi_coll_##id##_segment = {                                    \
        MPI_COLL_NAMED(#id "-segment"), .applies = scans, .meet = mpi_segment_run,                 \
        .form = &mpi_segment_##id##_form}
PREFIX(scan);
PREFIX(exscan);

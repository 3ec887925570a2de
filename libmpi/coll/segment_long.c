/* SPDX-License-Identifier: MIT */
/* Long data of processes that share processors: it goes through memory that all of them map, where
 * each has two staging buffers, used in turn for the chunks of what its ranks give:
 *
 *     fill one -> meet -> [each combines its part of all -> meet] -> take -> ...
 *
 * What is written once is read by all, and a rank is woken a few times for each chunk, however many
 * ranks there are. After the last chunk all meet once more, as a rank's buffers are the same ones
 * for all communicators. Where another thread of a rank is at a call with them, all ranks hear of
 * it when they meet first, and go another way: two calls that wait for each other's buffers, on two
 * ranks, would wait for ever.
 *
 * Where a process has several ranks, they meet before they fill the buffer of the first one, which
 * may be elsewhere until then; of a reduction they fill it with the sum of what they have, of which
 * each makes a part. */
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

#define STAGING_LEAST 4096 /* bytes; with less the meetings take longer than what they are for */

/* What is under way: bytes [at, at + n) of each rank's data, or of its blocks for some clusters:
 * the sum of their number and of that of the rank's own is one of `across`, from `first` on, modulo
 * the number of clusters. So two ranks give each other their blocks in the same chunk, and may do
 * it in place. */
struct chunk {
    uint64_t at, n;
    int first, across;
    int buffer; /* 0 or 1 */
};

/* What a staging buffer has a chunk of: each member's vector; each block that the members give to
 * the ranks of a cluster; the sum of the members' vectors. */
enum content { VECTORS, BLOCKS, SUM };

struct mpi_chunks {
    struct mpi_segment_form form;
    enum content content;
    void (*fill)(struct mpi_coll *c, const struct chunk *ch);
    void (*combine)(struct mpi_coll *c, const struct chunk *ch); /* NULL: nothing */
    void (*take)(struct mpi_coll *c, const struct chunk *ch);
};

static const struct mpi_chunks *chunks_of(const struct mpi_coll *c)
{
    return (const struct mpi_chunks *)c->algorithm->form;
}

static struct mpu_staging *staging(const struct mpi_coll *c, int rank, const struct chunk *ch)
{
    const struct mpu_segment *s = c->segment.at;
    return mpu_leaders_staging(s, s->position[rank].cluster, ch->buffer);
}

/* Of what each member gives, that of a rank, or the sum; and the mark of its elements. */
static uint8_t *own_part(const struct mpi_coll *c, int rank, const struct chunk *ch)
{
    int member = chunks_of(c)->content == SUM ? 0 : c->segment.at->position[rank].member;
    return staging(c, rank, ch)->bytes + (uint64_t)member * ch->n;
}

static uint16_t *own_mark(const struct mpi_coll *c, int rank, const struct chunk *ch)
{
    return &staging(c, rank, ch)->mark[c->segment.at->position[rank].member];
}

/* How many chunks there are in a buffer. */
static uint64_t vectors(const struct mpi_coll *c)
{
    return (uint64_t)c->comm->fullest;
}

static uint64_t blocks(const struct mpi_coll *c)
{
    return vectors(c) * vectors(c);
}

static uint64_t staging_bytes(const struct mpi_coll *c)
{
    return mpu_leaders_staging_bytes(c->comm->fullest);
}

/* The chunk from ch->first, ch->at on: as many as there must be, about alike, and each but the last
 * one of whole cache lines, and of whole elements of what is reduced. */
static void size_chunk(const struct mpi_coll *c, struct chunk *ch)
{
    enum content content = chunks_of(c)->content;
    uint64_t unit = KERN_LINE * (c->op ? (uint64_t)mpi_coll_operand(c)->type->size : 1);
    uint64_t most = content == SUM      ? mpu_leaders_staging_bytes(1)
                    : content == BLOCKS ? staging_bytes(c) / blocks(c)
                                        : staging_bytes(c) / vectors(c);
    uint64_t left = c->bytes - ch->at;
    most -= most > unit ? most % unit : 0;
    uint64_t chunks = (left + most - 1) / most, each = chunks ? (left + chunks - 1) / chunks : 0;
    ch->n = chunks > 1 ? (each + unit - 1) / unit * unit : left;
    ch->across = (content == BLOCKS ? c->segment.at->clusters : 1) - ch->first;
    if (ch->n && most / ch->n < (uint64_t)ch->across)
        ch->across = (int)(most / ch->n);
}

static void next_chunk(const struct mpi_coll *c, struct chunk *ch)
{
    ch->first += ch->across;
    if (chunks_of(c)->content != BLOCKS || ch->first == c->segment.at->clusters) {
        ch->first = 0;
        ch->at += ch->n;
    }
    ch->buffer = !ch->buffer;
    size_chunk(c, ch);
}

/* Each rank of the communicator in its process. */
static bool is_alone(const struct mpi_coll *c)
{
    return c->comm->fullest == 1;
}

/* Alone in its process: nobody else uses the own buffer, and before all have come nobody reads
 * it. */
static void leave(struct mpi_coll *c)
{
    struct chunk ch = {0};
    if (!is_alone(c))
        mpi_segment_show(c);
    if (!is_alone(c) || c->busy)
        return;
    size_chunk(c, &ch);
    chunks_of(c)->fill(c, &ch);
}

/* From the meeting on at which all agreed: nobody leaves. */
static void take_all(struct mpi_coll *c)
{
    const struct mpi_chunks *f = chunks_of(c);
    struct chunk ch = {0};
    size_chunk(c, &ch);
    if (!is_alone(c)) {
        f->fill(c, &ch);
        mpi_segment_again(c);
    }
    while (ch.n) {
        if (f->combine) {
            f->combine(c, &ch);
            mpi_segment_again(c);
        }
        f->take(c, &ch);
        next_chunk(c, &ch);
        if (ch.n)
            f->fill(c, &ch);
        mpi_segment_again(c);
    }
}

static bool run(struct mpi_coll *c)
{
    bool *used = &c->p->in_staging, busy = *used;
    c->busy = busy;
    *used = true;
    bool rounds = mpi_segment_run(c);
    *used = busy && *used;
    return rounds || (c->busy && !c->broken && mpi_coll_otherwise(c));
}

static bool has_staging(const struct mpi_coll *c)
{
    return c->segment.at->has_staging;
}

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->shared && mpu_info()->oversubscribed &&
           mpu_leaders_staging_bytes(1) >= STAGING_LEAST;
}

/* In the memory that processes share there is room for what each of their ranks gives. */
static bool fits_all(const struct mpi_coll *c)
{
    return applies(c) && c->comm->fullest <= MPU_STAGING_MEMBERS &&
           staging_bytes(c) >= STAGING_LEAST * vectors(c);
}

/* Above what goes through the segment, where the members of a cluster share its limit. */
static bool is_long(const struct mpi_coll *c)
{
    return applies(c) && c->bytes > mpi_coll_limit(c, MPU_TUNE_SEGMENT_LIMIT) / vectors(c);
}

/* The bytes at `from` of a staging buffer, n parts of it, as what elements with those marks come
 * from. */
static void unpack(struct mpi_coll *c, const uint8_t *from, const uint16_t *mark, int n,
                   const struct mpi_elements *to, const struct chunk *ch)
{
    if (to->type->kind == MPI_KIND_BASIC)
        memcpy((uint8_t *)to->buf + ch->at, from, (uint64_t)n * ch->n);
    else
        mpi_type_unpack(to->type, to->count, to->buf, ch->at, (uint64_t)n * ch->n, from);
    for (int i = 0; i < n && ch->at == 0; i++)
        mpi_coll_compare(c, mark[i], to->type);
}

/* Of data that should be c->bytes long. */
static void pack(const struct mpi_coll *c, struct mpi_elements from, const struct chunk *ch,
                 uint8_t *to)
{
    if (mpi_elements_bytes(&from) != c->bytes)
        return; /* the rank meets the others all the same, and notes it then */
    if (from.type->kind == MPI_KIND_BASIC)
        memcpy(to, (const uint8_t *)from.buf + ch->at, ch->n);
    else
        mpi_type_pack(from.type, from.count, from.buf, ch->at, ch->n, to);
}

/* content, fill, combine, take: struct mpi_chunks. */
#define LONG(id, when, ...)                                                                        \
    static const struct mpi_chunks id##_chunks = {                                                 \
        {.fits = has_staging, .otherwise = mpi_coll_otherwise, .leave = leave, .take = take_all},  \
        __VA_ARGS__};                                                                              \
    const struct mpi_coll_algorithm mpi_coll_##id##_long = {                                       \
        MPI_COLL_NAMED(#id "-long"), .applies = when, .meet = run, .form = &id##_chunks.form}

/* Allgather, alltoall -------------------------------------------------------------------------- */

static void give_own(struct mpi_coll *c, const struct chunk *ch)
{
    *own_mark(c, c->rank, ch) = c->messages.element;
    pack(c, mpi_coll_gather_own(c), ch, own_part(c, c->rank, ch));
}

/* Begins with its own, so that not all read the same buffer at a time. Whole blocks of neighbours
 * lie behind each other there and here. */
static void take_each(struct mpi_coll *c, const struct chunk *ch)
{
    const struct mpi_elements own = mpi_coll_gather_own(c);
    mpi_coll_is_amount(c, mpi_elements_bytes(&own), c->bytes);
    for (int k = 0, n; k < c->size; k += n) {
        int i = (c->rank + k) % c->size;
        n = ch->n == c->bytes ? mpi_segment_neighbours(c, i) : 1;
        n = n < c->size - k ? n : c->size - k;
        const struct mpi_elements to = mpi_coll_blocks(&c->recv, i, n);
        unpack(c, own_part(c, i, ch), own_mark(c, i, ch), n, &to, ch);
    }
}

static bool gathers(const struct mpi_coll *c)
{
    return is_long(c) && fits_all(c);
}

LONG(allgather, gathers, VECTORS, give_own, NULL, take_each);

/* Where in the buffer of rank `from` its block for rank `to` lies; NULL: in another chunk. */
static uint8_t *block_at(const struct mpi_coll *c, int from, int to, const struct chunk *ch)
{
    const struct mpu_segment *s = c->segment.at;
    struct mpu_position giver = s->position[from], taker = s->position[to];
    int n = (int)vectors(c), i = giver.cluster + taker.cluster - ch->first;
    i += i < 0 ? s->clusters : i >= s->clusters ? -s->clusters : 0;
    if (i >= ch->across)
        return NULL;
    return staging(c, from, ch)->bytes +
           (uint64_t)((i * n + giver.member) * n + taker.member) * ch->n;
}

static void give_blocks(struct mpi_coll *c, const struct chunk *ch)
{
    *own_mark(c, c->rank, ch) = c->messages.element;
    for (int i = 0; i < c->size; i++) {
        uint8_t *to = block_at(c, c->rank, i, ch);
        if (to)
            pack(c, mpi_coll_alltoall_out(c, i), ch, to);
    }
}

static void take_blocks(struct mpi_coll *c, const struct chunk *ch)
{
    const struct mpi_elements own = mpi_coll_alltoall_out(c, 0);
    mpi_coll_is_amount(c, mpi_elements_bytes(&own), c->bytes);
    for (int k = 0; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        const uint8_t *from = block_at(c, i, c->rank, ch);
        const struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (from)
            unpack(c, from, own_mark(c, i, ch), 1, &to, ch);
    }
}

static bool exchanges(const struct mpi_coll *c)
{
    return fits_all(c) && c->bytes && c->size > 8 && c->bytes <= staging_bytes(c) / blocks(c);
}

LONG(alltoall, exchanges, BLOCKS, give_blocks, NULL, take_blocks);

/* Reductions ----------------------------------------------------------------------------------- */

static bool reduces(const struct mpi_coll *c)
{
    return is_long(c) && mpi_coll_is_plain(c);
}

static bool commutes(const struct mpi_coll *c)
{
    return reduces(c) && c->op->commutative;
}

/* Where part i of n of a chunk begins, in bytes. */
static uint64_t part_of(const struct mpi_coll *c, const struct chunk *ch, int i, int n)
{
    uint64_t size = (uint64_t)mpi_coll_operand(c)->type->size, count = ch->n / size;
    return count * (uint64_t)i / (uint64_t)n * size;
}

/* ... of as many parts as there are ranks. */
static uint64_t part_at(const struct mpi_coll *c, const struct chunk *ch, int i)
{
    return part_of(c, ch, i, c->size);
}

static void reduce(const struct mpi_coll *c, const uint8_t *in, uint8_t *sum, uint64_t n)
{
    const struct mpi_type *type = mpi_coll_operand(c)->type;
    mpi_op_apply(c->op, type, in, sum, (MPI_Count)(n / (uint64_t)type->size));
}

/* Each member begins with its own vector. What members have is not written to before all have
 * given that chunk of it. */
static void give_sum(struct mpi_coll *c, const struct chunk *ch)
{
    const struct mpu_segment *s = c->segment.at;
    int own = s->position[c->rank].member, members = s->members;
    uint64_t from = part_of(c, ch, own, members), n = part_of(c, ch, own + 1, members) - from;
    uint8_t *sum = own_part(c, c->rank, ch) + from;
    if (n)
        memcpy(sum, mpi_coll_operand(c)->buf + ch->at + from, n);
    for (int k = 1; n && k < members; k++) {
        const struct mpi_coll *m = mpi_segment_shown(c, (own + k) % members);
        reduce(c, mpi_coll_operand(m)->buf + ch->at + from, sum, n);
    }
}

/* In an order that depends on the cluster alone, in which no two clusters read the same buffer. */
static void combine_part(struct mpi_coll *c, const struct chunk *ch)
{
    const struct mpu_segment *s = c->segment.at;
    uint64_t from = part_at(c, ch, c->rank), n = part_at(c, ch, c->rank + 1) - from;
    uint8_t *sum = own_part(c, c->rank, ch) + from;
    for (int k = 1; n && k < s->clusters; k++) {
        int i = (s->cluster + k) % s->clusters;
        reduce(c, mpu_leaders_staging(s, i, ch->buffer)->bytes + from, sum, n);
    }
}

/* Bytes [begin, end) of the vector, those in the chunk, wherever they were combined. */
static void take_range(struct mpi_coll *c, const struct chunk *ch, uint64_t begin, uint64_t end)
{
    for (int k = 0; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        uint64_t low = ch->at + part_at(c, ch, i), high = ch->at + part_at(c, ch, i + 1);
        low = low > begin ? low : begin;
        high = high < end ? high : end;
        if (low < high)
            memcpy(c->recv.buf + (low - begin), own_part(c, i, ch) + (low - ch->at), high - low);
    }
}

static void take_parts(struct mpi_coll *c, const struct chunk *ch)
{
    take_range(c, ch, 0, c->bytes);
}

LONG(allreduce, commutes, SUM, give_sum, combine_part, take_parts);

static void take_at_root(struct mpi_coll *c, const struct chunk *ch)
{
    if (c->role == MPI_ROLE_ROOT)
        take_parts(c, ch);
}

LONG(reduce, commutes, SUM, give_sum, combine_part, take_at_root);

/* In place the own block goes to where input was that the rank has given: never further back than
 * where it comes from. */
static void take_block(struct mpi_coll *c, const struct chunk *ch)
{
    uint64_t at, bytes = mpi_coll_own_part(c, &at);
    take_range(c, ch, at, at + bytes);
}

LONG(reduce_scatter, commutes, SUM, give_sum, combine_part, take_block);

static bool scans(const struct mpi_coll *c)
{
    return reduces(c) && fits_all(c);
}

static void give_vector(struct mpi_coll *c, const struct chunk *ch)
{
    memcpy(own_part(c, c->rank, ch), mpi_coll_operand(c)->buf + ch->at, ch->n);
}

/* Each rank makes, of its part, what all ranks get, in their buffers. */
static void combine_prefixes(struct mpi_coll *c, const struct chunk *ch)
{
    uint64_t from = part_at(c, ch, c->rank), n = part_at(c, ch, c->rank + 1) - from;
    for (int i = 1; n && i < c->size; i++)
        reduce(c, own_part(c, i - 1, ch) + from, own_part(c, i, ch) + from, n);
}

static void take_own(struct mpi_coll *c, const struct chunk *ch)
{
    memcpy(c->recv.buf + ch->at, own_part(c, c->rank, ch), ch->n);
}

static void take_before(struct mpi_coll *c, const struct chunk *ch)
{
    if (c->rank > 0)
        memcpy(c->recv.buf + ch->at, own_part(c, c->rank - 1, ch), ch->n);
}

LONG(scan, scans, VECTORS, give_vector, combine_prefixes, take_own);

LONG(exscan, scans, VECTORS, give_vector, combine_prefixes, take_before);

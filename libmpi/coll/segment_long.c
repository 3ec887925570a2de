/* SPDX-License-Identifier: MIT */
/* Long data of processes that share processors: it goes through memory that all of them map, where
 * each has two rooms, used in turn for the pieces of what its ranks give:
 *
 *     fill the own room -> meet -> [each combines its part of all rooms -> meet] -> take -> ...
 *
 * What is written once is read by all, and a rank is woken a few times for each piece, however many
 * ranks there are. After the last piece all meet once more, as a rank's rooms are the same ones for
 * all communicators. Reductions and Alltoall are for processes with a rank each; where a process
 * has several, they meet before they fill the room of the first one, which may be elsewhere until
 * then. */
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

#define ROOM_LEAST 4096 /* bytes; with less the meetings take longer than what they are for */

/* What is under way: bytes [at, at + n) of each rank's data, or of each block. */
struct piece {
    uint64_t at, n;
    int room; /* 0 or 1 */
};

struct mpi_pieces {
    /* How many a room has a piece of: the vectors of its members, or the blocks that one gives to
     * all ranks; NULL: one vector. */
    uint64_t (*parts)(const struct mpi_coll *c);
    void (*fill)(struct mpi_coll *c, const struct piece *p);
    void (*combine)(struct mpi_coll *c, const struct piece *p); /* NULL: nothing */
    void (*take)(struct mpi_coll *c, const struct piece *p);
};

static struct mpu_room *room(const struct mpi_coll *c, int rank, const struct piece *p)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    return mpu_leaders_room(s, s->position[rank].cluster, p->room);
}

/* Of what each member gives, that of a rank; and the mark of its elements. */
static uint8_t *own_part(const struct mpi_coll *c, int rank, const struct piece *p)
{
    int member = mpi_coll_segment(c)->position[rank].member;
    return room(c, rank, p)->bytes + (uint64_t)member * p->n;
}

static uint16_t *own_mark(const struct mpi_coll *c, int rank, const struct piece *p)
{
    return &room(c, rank, p)->mark[mpi_coll_segment(c)->position[rank].member];
}

static uint64_t vectors(const struct mpi_coll *c)
{
    return (uint64_t)c->comm->fullest;
}

static uint64_t blocks(const struct mpi_coll *c)
{
    return (uint64_t)c->size;
}

/* The piece from `at` on; whole elements of what is reduced. */
static struct piece piece_at(const struct mpi_coll *c, const struct mpi_pieces *f, uint64_t at,
                             int room)
{
    uint64_t most = mpu_leaders_room_bytes() / (f->parts ? f->parts(c) : 1), left = c->bytes - at;
    if (c->op)
        most -= most % (uint64_t)mpi_segment_side(c)->type->size;
    return (struct piece){at, left < most ? left : most, room};
}

/* Each rank of the communicator in its process. */
static bool is_alone(const struct mpi_coll *c)
{
    return c->comm->fullest == 1;
}

static void meet(struct mpi_coll *c)
{
    mpu_segment_meet(mpi_coll_segment(c), c->p->rank, &c->segment.visit);
}

/* From the meeting on at which all said the same: nobody leaves. */
static void all_pieces(struct mpi_coll *c)
{
    const struct mpi_pieces *f = c->algorithm->pieces;
    struct piece p = piece_at(c, f, 0, 0);
    if (!is_alone(c)) {
        f->fill(c, &p);
        meet(c);
    }
    while (p.n) {
        if (f->combine) {
            f->combine(c, &p);
            meet(c);
        }
        f->take(c, &p);
        p = piece_at(c, f, p.at + p.n, !p.room);
        if (p.n)
            f->fill(c, &p);
        meet(c);
    }
}

static bool begin(struct mpi_coll *c)
{
    static const struct mpi_segment_form last = {.take = all_pieces};
    const struct mpi_pieces *f = c->algorithm->pieces;
    if (!mpi_segment_join(c))
        return false;
    if (!mpi_coll_segment(c)->rooms) {
        mpi_coll_otherwise(c);
        return true;
    }
    struct piece p = piece_at(c, f, 0, 0);
    if (is_alone(c))
        f->fill(c, &p);
    int wrong = c->error; /* with what this rank gives: it meets the others all the same */
    c->error = MPI_SUCCESS;
    mpi_segment_meet(c, true);
    mpi_segment_end(c, &last);
    if (wrong)
        mpi_coll_fail(c, wrong);
    return false;
}

/* In the memory that processes share there is room for what each of their ranks gives. */
static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters > 1 && c->comm->fullest <= MPU_ROOM_MEMBERS &&
           mpu_oversubscribed() && mpi_segment_shared(c) &&
           mpu_leaders_room_bytes() >= ROOM_LEAST * vectors(c);
}

/* Above what goes through the segment, where the members of a cluster share its limit. */
static bool is_long(const struct mpi_coll *c)
{
    return applies(c) && c->bytes > mpi_coll_limit(c, MPU_TUNE_SEGMENT_LIMIT) / vectors(c);
}

/* The bytes at `from` of a room, as what elements with that mark come from. */
static void unpack(struct mpi_coll *c, const uint8_t *from, uint16_t mark, struct mpi_elements to,
                   const struct piece *p)
{
    mpi_type_unpack(to.type, to.count, to.buf, p->at, p->n, from);
    if (p->at == 0)
        mpi_coll_compare(c, mark, to.type);
}

/* Of data that should be c->bytes long, and is noted if it is not. */
static void pack(struct mpi_coll *c, struct mpi_elements from, const struct piece *p, uint8_t *to)
{
    uint64_t bytes = mpi_elements_bytes(from);
    if (bytes == c->bytes)
        mpi_type_pack(from.type, from.count, from.buf, p->at, p->n, to);
    else
        mpi_coll_fail(c, bytes > c->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
}

#define LONG(id, text, when)                                                                       \
    const struct mpi_coll_algorithm mpi_coll_##id##_long = {.name = text "-long",                  \
                                                            .counter = "coll." text "-long",       \
                                                            .applies = when,                       \
                                                            .meet = begin,                         \
                                                            .pieces = &id##_form}

/* Allgather, alltoall -------------------------------------------------------------------------- */

static void give_own(struct mpi_coll *c, const struct piece *p)
{
    *own_mark(c, c->rank, p) = c->messages.element;
    pack(c, mpi_coll_allgather_own(c), p, own_part(c, c->rank, p));
}

/* Begins with the rank's neighbour, so that not all read the same room at a time. */
static void take_each(struct mpi_coll *c, const struct piece *p)
{
    for (int k = 0; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        if (i != c->rank || !c->in_place)
            unpack(c, own_part(c, i, p), *own_mark(c, i, p), mpi_coll_block(&c->recv, i), p);
    }
}

static const struct mpi_pieces allgather_form = {
    .parts = vectors, .fill = give_own, .take = take_each};
LONG(allgather, "allgather", is_long);

static void give_blocks(struct mpi_coll *c, const struct piece *p)
{
    uint8_t *to = own_part(c, c->rank, p);
    *own_mark(c, c->rank, p) = c->messages.element;
    for (int i = 0; i < c->size; i++)
        pack(c, mpi_coll_alltoall_out(c, i), p, to + (uint64_t)i * p->n);
}

static void take_blocks(struct mpi_coll *c, const struct piece *p)
{
    for (int k = 0; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        const uint8_t *from = own_part(c, i, p) + (uint64_t)c->rank * p->n;
        unpack(c, from, *own_mark(c, i, p), mpi_coll_block(&c->recv, i), p);
    }
}

/* As long as two rooms hold the blocks of a rank: longer ones would go in many small pieces, and so
 * would those of many members (12 of 192 ranks in each process, 1 KB: 34 ms, 18 by messages). */
static bool exchanges(const struct mpi_coll *c)
{
    return applies(c) && is_alone(c) && c->bytes && c->size > 8 &&
           c->bytes <= 2 * (mpu_leaders_room_bytes() / (uint64_t)c->size);
}

static const struct mpi_pieces alltoall_form = {
    .parts = blocks, .fill = give_blocks, .take = take_blocks};
LONG(alltoall, "alltoall", exchanges);

/* Reductions ----------------------------------------------------------------------------------- */

static bool reduces(const struct mpi_coll *c)
{
    const struct mpi_side *s = mpi_segment_side(c);
    return is_long(c) && is_alone(c) && c->op->handle && s->extent == s->type->size;
}

static bool commutes(const struct mpi_coll *c)
{
    return reduces(c) && c->op->commutative;
}

static void give_vector(struct mpi_coll *c, const struct piece *p)
{
    const uint8_t *own = c->send.type ? c->send.buf : c->recv.buf;
    memcpy(room(c, c->rank, p)->bytes, own + p->at, p->n);
}

/* Where part i of a piece begins, as many parts as there are ranks; in bytes. */
static uint64_t part_at(const struct mpi_coll *c, const struct piece *p, int i)
{
    uint64_t size = (uint64_t)mpi_segment_side(c)->type->size, count = p->n / size;
    return count * (uint64_t)i / (uint64_t)c->size * size;
}

/* In an order that depends on the rank alone, and in which no two ranks read the same room. */
static void combine_part(struct mpi_coll *c, const struct piece *p)
{
    const struct mpi_type *type = mpi_segment_side(c)->type;
    uint64_t from = part_at(c, p, c->rank), n = part_at(c, p, c->rank + 1) - from;
    uint8_t *sum = room(c, c->rank, p)->bytes + from;
    for (int k = 1; n && k < c->size; k++)
        mpi_op_apply(c->op, type, room(c, (c->rank + k) % c->size, p)->bytes + from, sum,
                     (MPI_Count)(n / (uint64_t)type->size));
}

static void take_parts(struct mpi_coll *c, const struct piece *p)
{
    for (int k = 0; k < c->size; k++) {
        int i = (c->rank + k) % c->size;
        uint64_t from = part_at(c, p, i), n = part_at(c, p, i + 1) - from;
        memcpy(c->recv.buf + p->at + from, room(c, i, p)->bytes + from, n);
    }
}

static const struct mpi_pieces allreduce_form = {
    .fill = give_vector, .combine = combine_part, .take = take_parts};
LONG(allreduce, "allreduce", commutes);

static void take_at_root(struct mpi_coll *c, const struct piece *p)
{
    if (c->role == MPI_ROLE_ROOT)
        take_parts(c, p);
}

static const struct mpi_pieces reduce_form = {
    .fill = give_vector, .combine = combine_part, .take = take_at_root};
LONG(reduce, "reduce", commutes);

/* Each rank makes, of its part, what all ranks get, in their rooms. */
static void combine_prefixes(struct mpi_coll *c, const struct piece *p)
{
    const struct mpi_type *type = c->recv.type;
    uint64_t from = part_at(c, p, c->rank), n = part_at(c, p, c->rank + 1) - from;
    for (int i = 1; n && i < c->size; i++)
        mpi_op_apply(c->op, type, room(c, i - 1, p)->bytes + from, room(c, i, p)->bytes + from,
                     (MPI_Count)(n / (uint64_t)type->size));
}

static void take_of(struct mpi_coll *c, const struct piece *p, int rank)
{
    if (rank >= 0)
        memcpy(c->recv.buf + p->at, room(c, rank, p)->bytes, p->n);
}

static void take_own(struct mpi_coll *c, const struct piece *p)
{
    take_of(c, p, c->rank);
}

static void take_before(struct mpi_coll *c, const struct piece *p)
{
    take_of(c, p, c->rank - 1);
}

static const struct mpi_pieces scan_form = {
    .fill = give_vector, .combine = combine_prefixes, .take = take_own};
LONG(scan, "scan", reduces);

static const struct mpi_pieces exscan_form = {
    .fill = give_vector, .combine = combine_prefixes, .take = take_before};
LONG(exscan, "exscan", reduces);

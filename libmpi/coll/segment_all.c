/* SPDX-License-Identifier: MIT */
/* Collectives between processes that share processors in which every rank reads what all gave, in
 * the memory that the leaders of their clusters share: one meeting, in place of a wait for each
 * round of messages. */
#include <base/mem.h>

#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

/* Allgather: a leader gives, of each member of its cluster, the mark of its elements, and behind
 * them all their data, packed. */

enum { BLOCKS_AT = 8 };

static uint64_t marks_bytes(int members)
{
    return ((uint64_t)members * sizeof(uint16_t) + 7) / 8 * 8;
}

static bool gathers(const struct mpi_coll *c)
{
    uint64_t members = (uint64_t)c->comm->fullest;
    return c->blocking && mpi_segment_shared(c) && c->bytes <= mpi_segment_limit(c) / members &&
           marks_bytes(c->comm->fullest) <= MPU_SEGMENT_HEAD;
}

static void give_members(struct mpi_coll *c, uint8_t *to)
{
    int n = mpi_coll_segment(c)->members;
    uint64_t marks = marks_bytes(c->comm->fullest);
    uint8_t *data = to + marks;
    for (int i = 0; i < n; i++) {
        const struct mpi_elements own = mpi_coll_allgather_own(mpi_segment_shown(c, i));
        mpi_coll_pack(&own, data + (uint64_t)i * c->bytes);
    }
    for (int i = 0; i < n; i++)
        ((uint16_t *)(void *)to)[i] = mpi_segment_shown(c, i)->messages.element;
}

static void take_all(struct mpi_coll *c)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    uint64_t marks = marks_bytes(c->comm->fullest);
    if (!c->bytes)
        return;
    for (int i = 0; i < c->size; i++) {
        struct mpu_position at = s->position[i];
        const uint8_t *from = mpu_leaders_given(s, at.cluster);
        struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (i != c->rank)
            mpi_coll_unpack(from + marks + (uint64_t)at.member * c->bytes, &to);
        else if (!c->in_place)
            mpi_coll_copy(c, mpi_coll_allgather_own(c), to);
        mpi_coll_compare(c, ((const uint16_t *)(const void *)from)[at.member], to.type);
    }
}

static const struct mpi_segment_form allgather_form = {.fits = mpi_segment_has_place,
                                                       .leave = mpi_segment_show,
                                                       .head = BLOCKS_AT,
                                                       .give = give_members,
                                                       .take = take_all};

const struct mpi_coll_algorithm mpi_coll_allgather_segment = {
    MPI_COLL_NAMED("allgather-segment"), .applies = gathers, .meet = mpi_segment_run,
    .form = &allgather_form};

/* Alltoall, of processes with a rank each: a rank gives the mark of its elements, and behind it its
 * blocks for the others, packed. */

static bool exchanges(const struct mpi_coll *c)
{
    return c->blocking && c->comm->fullest == 1 && mpi_segment_shared(c) &&
           c->bytes <= mpi_segment_limit(c) / (uint64_t)c->size;
}

static void give_blocks(struct mpi_coll *c, uint8_t *to)
{
    for (int i = 0; i < c->size; i++) {
        struct mpi_elements out = mpi_coll_alltoall_out(c, i);
        uint64_t bytes = mpi_elements_bytes(out);
        if (bytes != c->bytes)
            mpi_coll_fail(c, bytes > c->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
        else if (i != c->rank)
            mpi_coll_pack(&out, to + BLOCKS_AT + (uint64_t)i * bytes);
    }
    *(uint16_t *)(void *)to = c->messages.element;
}

static void take_blocks(struct mpi_coll *c)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    if (!c->bytes)
        return;
    for (int i = 0; i < c->size; i++) {
        const uint8_t *from = mpu_leaders_given(s, s->position[i].cluster);
        struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (i != c->rank)
            mpi_coll_unpack(from + BLOCKS_AT + (uint64_t)c->rank * c->bytes, &to);
        else if (!c->in_place)
            mpi_coll_copy(c, mpi_coll_alltoall_out(c, i), to);
        mpi_coll_compare(c, *(const uint16_t *)(const void *)from, to.type);
    }
}

static const struct mpi_segment_form alltoall_form = {
    .fits = mpi_segment_has_place, .head = BLOCKS_AT, .give = give_blocks, .take = take_blocks};

const struct mpi_coll_algorithm mpi_coll_alltoall_segment = {
    MPI_COLL_NAMED("alltoall-segment"), .applies = exchanges, .meet = mpi_segment_run,
    .form = &alltoall_form};

/* Scan and Exscan: a leader gives what its members gave, reduced. After the meeting it goes on from
 * what the clusters before gave to what each of its members gets, and writes that there. */

static bool scans(const struct mpi_coll *c)
{
    return c->blocking && mpi_segment_shared(c) && c->bytes <= mpi_segment_limit(c) &&
           c->op->handle && c->recv.extent == c->recv.type->size;
}

static bool has_place_in_order(const struct mpi_coll *c)
{
    return mpi_segment_has_place(c) && mpi_coll_segment(c)->in_order;
}

static const uint8_t *vector_of(const struct mpi_coll *member)
{
    return member->in_place ? member->recv.buf : member->send.buf;
}

/* The leader alone has not shown what it does. */
static const struct mpi_coll *member(const struct mpi_coll *c, int i)
{
    return mpi_coll_segment(c)->members == 1 ? c : mpi_segment_shown(c, i);
}

static void fold(const struct mpi_coll *c, const void *before, void *to)
{
    mpi_op_apply(c->op, c->recv.type, before, to, c->recv.count);
}

static void give_sum(struct mpi_coll *c, uint8_t *to)
{
    int i = mpi_coll_segment(c)->members - 1;
    if (c->bytes)
        memcpy(to, vector_of(member(c, i)), c->bytes);
    while (c->bytes && i-- > 0)
        fold(c, vector_of(member(c, i)), to);
}

static void scan_members(struct mpi_coll *c)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    const uint8_t *before = NULL;
    for (int i = 0; i < s->members && c->bytes; i++) {
        const struct mpi_coll *m = member(c, i);
        if (!m->in_place)
            memcpy(m->recv.buf, m->send.buf, c->bytes);
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
    const struct mpu_segment *s = mpi_coll_segment(c);
    uint8_t *before = mpi_segment_next(c), *next = c->bytes ? mpi_coll_temp(c, c->bytes) : NULL;
    bool any = s->cluster > 0;
    if (!next && c->bytes)
        mpi_coll_fail(c, MPI_ERR_NO_MEM);
    if (!next)
        return;
    if (any)
        memcpy(before, mpu_leaders_given(s, s->cluster - 1), c->bytes);
    for (int k = s->cluster - 2; k >= 0; k--)
        fold(c, mpu_leaders_given(s, k), before);
    for (int i = 0; i < s->members; i++, any = true) {
        const struct mpi_coll *m = member(c, i);
        memcpy(next, vector_of(m), c->bytes);
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
    static const struct mpi_segment_form id##_form = {.fits = has_place_in_order,                  \
                                                      .leave = mpi_segment_show,                   \
                                                      .give = give_sum,                            \
                                                      .bring = id##_members};                      \
    const struct mpi_coll_algorithm mpi_coll_##id##_segment = {                                    \
        MPI_COLL_NAMED(#id "-segment"), .applies = scans, .meet = mpi_segment_run,                 \
        .form = &id##_form}
PREFIX(scan);
PREFIX(exscan);
